#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# The kernel's own tests of crypto drivers, as 7.2 has them
#
# debs: source 7.2

here=$(cd "$(dirname "$0")" && pwd)
exec "$here/uml" --no-helper 7.2-debug "$here/extra.sh"
