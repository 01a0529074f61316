#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# What the module falls back on is a driver that takes its time, or that there is not.
#
# uml: 7.2-full --no-helper --test-modules --timeout 300
# debug: uml uml72

set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=../lib/ktap.sh
. "$here/../lib/ktap.sh"
# shellcheck source=../lib/wavecrypt.sh
. "$here/../lib/wavecrypt.sh"
# shellcheck source=../bench/kmod.bash
. "$here/../bench/kmod.bash"
# shellcheck source=fuzz.bash
. "$here/fuzz.bash"

modules=$(dirname "$test_module")
fallback=$here/../../build/selftests/fallback
late=/sys/module/wavecrypt_late/parameters
hazards=/sys/module/wavecrypt/parameters/hazards

# encrypted MS DEPTH [PORTION]: that it takes so long, and returns so few at a time, does not
# change the order in which they come back
encrypted()
{
	local name=$cbc_sha1-wavecrypt said

	echo "$1" >"$late"/delay
	echo 0 >"$late"/most
	echo "${3:-0}" >"$late"/portion
	said=$(measure "what=aead samples=1 warm_us=0 slice_us=500000 depth=$2 alg=cbc-sha1 len=256 base=$name test=$name")
	echo "$said"
	echo 0 >"$late"/delay
	[[ $said != *'"error"'* ]]
	grep -q '"later":[1-9]' <<<"$said"
	expect_equal "left" 0 "$(cat "$late"/pending)"
}

# It is given so many at a time.
fed()
{
	encrypted 200 256
	expect_equal "most at a time" 128 "$(cat "$late"/most)"
}

# Encryption is guarded, and is not.
guarded()
{
	echo none >"$hazards"
	sleep 0.1
	echo mini-socket >"$hazards"
	sleep 0.02
}

# A device goes, and what is pending is waited for.
device_goes()
{
	echo auto >"$hazards"
	ip link add gone type dummy
	ip link set gone up
	ip link del gone
}

rekeyed()
{
	ktap_whole timeout 60 "$fallback"
}

# That is said, but not each time.
refused()
{
	local lines

	mark_log
	ktap_whole timeout 60 "$fallback" refused 200
	lines=$(log_since_mark | grep -c 'wavecrypt: no fallback for authenc(hmac(sha1),cbc(aes)): ')
	echo "$lines lines"
	[ "$lines" -le 50 ]
}

# What is submitted on a CPU completes there: so, nobody is moved.
taskset -pc 0 $$ >/dev/null
insmod "$modules/wavecrypt_ask.ko"
insmod "$modules/wavecrypt_bench.ko"
insmod "$modules/wavecrypt_late.ko"
set_mode inline

ktap_begin
ktap_test "it takes its time: it is given no more than a few at a time" fed
ktap_test "it takes its time, and encryption is held for a bug, and not" \
	during guarded encrypted 10 64 8
ktap_test "it takes its time, and devices go" during device_goes encrypted 10 64 8
ktap_test "it takes its time with one key, and not with the next" rekeyed
ktap_test "there is none: a few lines say so" refused
ktap_end
