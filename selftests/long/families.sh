#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# Every algorithm that the module has, with and without extended sequence numbers:
# negotiated by strongSwan, offloaded, and rekeyed under traffic, of which nothing is lost
#
# uml: 7.2-full

exec "$(dirname "$0")/../debug/uml" 7.2-full selftests/guest/strongswan.sh --families all
