#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# The kernel's own test of IPsec, tools/testing/selftests/net/ipsec.c, with the
# module loaded and a helper that gets every request
#
# debs: source 6.1

set -euo pipefail

cd "$(dirname "$0")/../.."
source=$(selftests/debs source 6.1)
mkdir -p build/debug
gcc -O2 -w -I"$source/tools/testing/selftests" -o build/debug/ipsec \
	"$source/tools/testing/selftests/net/ipsec.c"

# shellcheck disable=SC2016 # for the guest's shell
exec selftests/vm/run --timeout 3000 -- bash -c '
	. selftests/lib/wavecrypt.sh
	set_mode offload
	stdbuf -oL build/debug/ipsec 4 || exit
	offloaded=$(counter $cbc_sha1.encrypt requests_offloaded)
	echo "# figure: $offloaded encryptions offloaded"
	[ "$offloaded" -gt 0 ]'
