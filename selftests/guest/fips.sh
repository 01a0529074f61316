#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# A kernel in FIPS mode panics of an algorithm whose module is not signed by a key that it
# trusts. The module does not let it come to that.
#
# vm: --kernel 6.1 --no-module --append fips=1
# make: module KERNEL=6.1

set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
top=$here/../..
# shellcheck source=../lib/ktap.sh
. "$here/../lib/ktap.sh"

# The kernel only warns of its signature, as without Secure Boot.
refused()
{
	expect_equal "FIPS mode" 1 "$(cat /proc/sys/crypto/fips_enabled)"
	expect_equal "signatures are enforced" N "$(cat /sys/module/module/parameters/sig_enforce)"
	modprobe --all --quiet aead authenc
	! insmod "$top/build/$WAVECRYPT_VM_KERNEL/driver/wavecrypt.ko" 2>/run/said || return 1
	cat /run/said
	grep -F "Key was rejected by service" /run/said
	dmesg | grep -F "wavecrypt: in FIPS mode a kernel wants algorithms to be signed"
	[ ! -e /sys/module/wavecrypt ]
}

ktap_begin
ktap_test "without a signature it is refused, and that is all" refused
ktap_end
