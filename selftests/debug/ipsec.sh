#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# The kernel's own test of IPsec, tools/testing/selftests/net/ipsec.c, under KASAN,
# lockdep and the other checkers, with the module loaded and a helper attached. It
# makes and deletes SAs of all algorithms, but what it pings is not what its
# policies select: no packet goes through one.
#
# check: first
# debs: source 6.1

set -euo pipefail

cd "$(dirname "$0")/../.."
source=$(selftests/debs source 6.1)
mkdir -p build/debug
gcc -O2 -w -I"$source/tools/testing/selftests" -o build/debug/ipsec \
	"$source/tools/testing/selftests/net/ipsec.c"

# shellcheck disable=SC2016 # for the guest's shell
exec selftests/debug/uml --timeout 3000 6.1-debug bash -c '
	. selftests/lib/wavecrypt.sh
	set_mode offload
	# An algorithm that is being tested for somebody else is none to XFRM: let it
	# look for each of them first, as it does for SADB_REGISTER.
	python3 -c "import socket, struct
key = socket.socket(socket.AF_KEY, socket.SOCK_RAW, 2)
key.send(struct.pack(\"BBBBHHII\", 2, 7, 0, 3, 2, 0, 0, 0))"
	# With one process, as the kernel runs it: several hear of what expires in
	# each other, and fail of it now and then. It mostly waits.
	stdbuf -oL build/debug/ipsec || exit
	grep -F "echainiv(authenc-hmac-sha1-cbc-aes-wavecrypt)" /proc/crypto >&2 || {
		echo "ipsec: it made no SA with wavecrypt" >&2
		exit 1
	}'
