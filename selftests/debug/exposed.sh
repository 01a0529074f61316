#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# Bugs of the kernel that only its checkers show, shown on the module without its
# protection: KASAN has to find them. (That it finds nothing with protection is what
# the suite stock shows.)
#
# debs: source 6.1

set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.."
# shellcheck source=../lib/ktap.sh
. "$here/../lib/ktap.sh"

logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT

# found HAZARD FUNCTION: KASAN's report on that has that function in it
found()
{
	local status=0
	"$here/uml" --logs "$logs/$1" --timeout 600 6.1-stock-debug \
		selftests/guest/stock.sh --expose "$1" || status=$?
	[ "$status" -ne 0 ]
	grep -A 30 'BUG: KASAN: use-after-free' "$logs/$1/dmesg" | grep "$2"
}

ktap_begin
ktap_test "xmit-device: a device that is gone is sent by" found xmit-device xfrm_dev_resume
ktap_test "output-hook: a device that is gone is given to netfilter" found output-hook ip_output
ktap_end
