#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# A hundred rekeys of strongSwan's under traffic, the helper killed ten times in
# between: no more is lost than on the kernel's own driver, but for chance.

set -euo pipefail

cd "$(dirname "$0")/../.."
exec selftests/vm/run --timeout 3000 -- selftests/guest/strongswan.sh --rekeys 100
