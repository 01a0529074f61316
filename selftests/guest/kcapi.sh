#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# Both algorithms from userspace, by driver name, message by message: equal to
# the generic implementation and to libcrypto, inline and through the helper.
# kcapi.c does it; here is which way the requests went.
#
# From 7.2 on, AF_ALG gives userspace no driver that may complete a request later,
# and so not this one. There its answer is tested, and random requests are made from
# inside the kernel (selftests/kmod) instead.
#
# check: first
# vm: --kernel 6.1 --timeout 1200 --no-self-tests
# uml: 7.2-full --test-modules
# debug: uml

set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
bin=$here/../../build/selftests
# shellcheck source=../lib/ktap.sh
. "$here/../lib/ktap.sh"
# shellcheck source=../lib/wavecrypt.sh
. "$here/../lib/wavecrypt.sh"
# shellcheck source=fuzz.bash
. "$here/fuzz.bash"

declare -A dirs=([authenc]=$cbc_sha1 [rfc4106]=$gcm)

# done_by ALG DIRECTION: requests so far, as "HELPER KERNEL". A forgery that the
# helper noticed was the helper's, though the kernel had the last word.
done_by()
{
	local dir=${dirs[$1]}.$2
	echo $(($(counter "$dir" requests_offloaded) + $(counter "$dir" rechecked))) \
		$(($(counter "$dir" requests_inline) + $(counter "$dir" redone)))
}

# compare MODE ALG TEST: and every request that a helper can do went to it in
# mode offload, none in mode inline.
compare()
{
	local mode=$1 alg=$2 i said wanted helper kernel
	local directions=(encrypt decrypt) before=() now=()

	set_mode "$mode"
	for i in 0 1; do
		before[i]=$(done_by "$alg" "${directions[i]}")
	done
	said=$("$bin/kcapi" "$alg" "$3")
	echo "$said"
	read -ra wanted <<<"${said##*offloadable: }"
	for i in 0 1; do
		read -r helper kernel <<<"${before[i]}"
		read -ra now <<<"$(done_by "$alg" "${directions[i]}")"
		echo "${directions[i]}: $((now[0] - helper)) by the helper," \
			"$((now[1] - kernel)) by the kernel"
		[ "$mode" = offload ] || wanted[i]=0
		expect_equal "${directions[i]} by the helper" \
			"${wanted[i]}" $((now[0] - helper))
	done
}

# The first thing that a user would try: the tool, and the same bytes from all
tool_agrees()
{
	local dir driver
	dir=$(mktemp -d)
	head -c 20 /dev/urandom >"$dir/key"
	head -c 1000 /dev/urandom >"$dir/clear"
	for driver in rfc4106-gcm-aes-wavecrypt \
		'rfc4106(gcm_base(ctr(aes-generic),ghash-generic))'; do
		kcapi-enc --cipher "$driver" --encrypt --keyfd 3 --iv 0123456789abcdef \
			--aad 00000001000000020123456789abcdef --taglen 16 \
			--infile "$dir/clear" --outfile "$dir/${driver%%[-(]*}.${#driver}" \
			3<"$dir/key"
	done
	expect_equal "lengths" "1032 1032" "$(stat -c %s "$dir"/rfc4106.* | xargs)"
	cmp "$dir"/rfc4106.*
}

tracing=/sys/kernel/tracing
has_kprobes()
{
	mountpoint -q "$tracing" || mount -t tracefs tracefs "$tracing"
	[ -e "$tracing/kprobe_events" ]
}

# interruptible ALG: a request from userspace can be long, and softirqs need not wait for it
interruptible()
{
	local probe=wavecrypt/inside seen

	set_mode inline
	echo "p:$probe crypto_${1}_encrypt" >"$tracing/kprobe_events"
	echo 1 >"$tracing/events/$probe/enable"
	"$bin/kcapi" "$1" one-shot
	echo 0 >"$tracing/events/$probe/enable"
	seen=$(awk '$5 == "inside:" { n++; off += $3 !~ /^[.]/ } END { print n + 0, off + 0 }' "$tracing/trace")
	echo "-:$probe" >>"$tracing/kprobe_events"
	echo "of so many encrypted so many with softirqs off: $seen"
	[ "${seen% *}" -gt 0 ]
	expect_equal "with softirqs off" 0 "${seen#* }"
}

# from_userspace ALGORITHM: what AF_ALG answers to who asks for it
from_userspace()
{
	python3 - "$1" <<-'END'
		import errno, socket, sys
		try:
		    socket.socket(socket.AF_ALG, socket.SOCK_SEQPACKET).bind(("aead", sys.argv[1]))
		    print("given")
		except OSError as error:
		    print(errno.errorcode[error.errno])
	END
}

# not_for_userspace DRIVER NAME: though the kernel has it, tested and preferred, and
# gives userspace another of that name
not_for_userspace()
{
	expect_equal "selftest of $1" passed "$(field "$1" selftest)"
	expect_equal "async of $1" yes "$(field "$1" async)"
	expect_equal "the best $2" "$1" "$(drivers "$2" | awk 'NR == 1 { print $2 }')"
	expect_equal "AF_ALG on $1" ENOENT "$(from_userspace "$1")"
	expect_equal "AF_ALG on $2" given "$(from_userspace "$2")"
	[ "$(drivers "$2" | wc -l)" -ge 2 ]
	expect_equal "users of wavecrypt" 0 "$(tail -n +2 /proc/wavecrypt | wc -l)"
}

# stays COUNTER COMMAND...: it counted nothing meanwhile
stays()
{
	local counter=$1 before

	shift
	before=$(of_algorithms "$counter")
	"$@"
	expect_equal "$counter" 0 $(($(of_algorithms "$counter") - before))
}

modprobe algif_aead
# Every request is to be counted where it belongs, on a slow machine, too.
echo 20000 >/sys/module/wavecrypt/parameters/stall_ms
if [ "$(from_userspace "$gcm-wavecrypt")" != given ]; then
	ktap_begin
	ktap_test "authenc is not for userspace" not_for_userspace \
		"$cbc_sha1-wavecrypt" 'authenc(hmac(sha1),cbc(aes))'
	ktap_test "rfc4106 is not for userspace" not_for_userspace \
		"$gcm-wavecrypt" 'rfc4106(gcm(aes))'
	set_mode inline
	ktap_test "from inside the kernel, inline" grows requests_inline \
		stays requests_offloaded fuzz 6000
	set_mode offload
	ktap_test "from inside the kernel, offloaded" grows requests_offloaded fuzz 6000
	ktap_end
fi
ktap_begin
for mode in inline offload; do
	for alg in authenc rfc4106; do
		for test in one-shot spliced in-place split streamed sizes \
			asynchronous parallel forgeries keys icvs invalid; do
			ktap_test "$alg $mode: $test" compare "$mode" "$alg" "$test"
		done
	done
done
if has_kprobes; then
	ktap_test "softirqs do not wait for what is done inline" interruptible authenc
else
	ktap_skip "softirqs do not wait for what is done inline" "this kernel has no kprobes"
fi
set_mode offload
ktap_test "kcapi-enc: ours and the generic one agree" tool_agrees
ktap_end
