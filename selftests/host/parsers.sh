#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# What make check-fuzz does for minutes, for seconds: what the helper reads

exec "$(dirname "$0")/../fuzz/run" 3
