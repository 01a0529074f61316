#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# What the kernel crypto API thinks of the module: its algorithms are there, are
# preferred, and pass its self-test vectors, both in the kernel and through the
# helper. Of tcrypt's vectors none is forged, so that random packets follow of which
# some are.
#
# vm: --kernel 6.1 --timeout 1500 --test-modules
# debug: uml uml72

set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=../lib/ktap.sh
. "$here/../lib/ktap.sh"
# shellcheck source=../lib/wavecrypt.sh
. "$here/../lib/wavecrypt.sh"
# shellcheck source=fuzz.bash
. "$here/fuzz.bash"

# Where the self-test is only scheduled at registration (from 6.12 on), this waits
# for its end.
make_instance()
{
	"$here/../lib/crypto-instance" make "$@"
}

tested()
{
	make_instance "$1"
	expect_equal "selftest of $2" passed "$(field "$2" selftest)"
	expect_equal "module of $2" wavecrypt "$(field "$2" module)"
	expect_equal "type of $2" aead "$(field "$2" type)"
}

# preferred NAME DRIVER OTHER...: also when an OTHER, which is made, is there
preferred()
{
	make_instance "${@:3}"
	drivers "$1"
	[ "$(drivers "$1" | wc -l)" -ge 2 ]
	expect_equal "the best" "$2" "$(drivers "$1" | awk 'NR == 1 { print $2 }')"
	[ "$(drivers "$1" | awk 'NR == 1 { print $1 }')" -gt \
		"$(drivers "$1" | awk 'NR == 2 { print $1 }')" ]
}

# The module's refusal to stay is tcrypt's way to say that all went well.
vectors_pass()
{
	local said
	mark_log
	said=$(modprobe tcrypt mode="$1" 2>&1) && return 1
	echo "$said"
	[[ $said == *"Resource temporarily unavailable"* ]]
	said=$(log_since_mark)
	! grep -E 'alg: |tcrypt: .*fail' <<<"$said"
}

# remember ALGORITHM: its counters, for moved
declare -A before
remember()
{
	local op name
	for op in encrypt decrypt; do
		for name in requests_inline requests_offloaded redone; do
			before[$op.$name]=$(counter "$1.$op" "$name")
		done
	done
}

# moved ALGORITHM OPERATION COUNTER: by how much, since then
moved()
{
	echo $(($(counter "$1.$2" "$3") - ${before[$2.$3]}))
}

# through_helper ALGORITHM TCRYPT-MODE: every vector that the kernel does itself
# in mode inline goes to the helper in mode offload, and comes back right.
through_helper()
{
	local op
	declare -A vectors

	set_mode inline
	remember "$1"
	vectors_pass "$2"
	for op in encrypt decrypt; do
		vectors[$op]=$(moved "$1" "$op" requests_inline)
		echo "$op: ${vectors[$op]} vectors"
		[ "${vectors[$op]}" -gt 10 ]
	done

	set_mode offload
	remember "$1"
	vectors_pass "$2"
	for op in encrypt decrypt; do
		expect_equal "$op inline" 0 "$(moved "$1" "$op" requests_inline)"
		expect_equal "$op redone" 0 "$(moved "$1" "$op" redone)"
		expect_equal "$op offloaded" "${vectors[$op]}" \
			"$(moved "$1" "$op" requests_offloaded)"
	done
}

# The others have no mode of tcrypt's. But an instance of pcrypt around one passes the
# same self-test.
vectors_by_pcrypt()
{
	local dir=$1 op
	set_mode offload
	remember "$dir"
	make_instance "pcrypt($dir-wavecrypt)"
	expect_equal "selftest" passed "$(field "pcrypt($dir-wavecrypt)" selftest)"
	"$here/../lib/crypto-instance" remove "pcrypt($dir-wavecrypt)"
	for op in encrypt decrypt; do
		echo "$op: $(moved "$dir" "$op" requests_offloaded) offloaded"
		[ "$(moved "$dir" "$op" requests_offloaded)" -gt 0 ]
		expect_equal "$op redone" 0 "$(moved "$dir" "$op" redone)"
	done
}

# Every algorithm that the module offers
all_tested()
{
	local name driver
	set_mode inline
	while read -r name driver; do
		make_instance "$name"
		expect_equal "selftest of $driver" passed "$(field "$driver" selftest)"
		expect_equal "the best $name" "$driver" \
			"$(drivers "$name" | awk 'NR == 1 { print $2 }')"
	done < <(awk '/^name/ { name = $3 } /^driver.*-wavecrypt$/ { print name, $3 }' /proc/crypto)
}

# The benchmark's packets, of every algorithm that it knows and this kernel has: before
# it measures, it decrypts what it has encrypted, and compares.
benchmarks_packets()
{
	local label driver measured=()
	set_mode inline
	insmod "${test_module%_test.ko}_bench.ko"
	for label in "${labels[@]}" gcm-esn chacha20-poly1305-esn cbc; do
		driver=$(dir_of "$label")-wavecrypt
		[ -n "$(field "$driver" driver)" ] || continue
		# Moved to another CPU, it would find them completed in the wrong place.
		printf 'alg=%s len=64 samples=1 warm_us=0 slice_us=1' "$label" |
			taskset -c 0 tee /dev/wavecrypt_bench >/dev/null || {
				echo "$label"
				dmesg | tail -n 2
				return 1
			}
		measured+=("$driver")
	done
	rmmod wavecrypt_bench
	expect_equal "measured" "$(offered)" "$(printf '%s\n' "${measured[@]}" | sort -u | xargs)"
}

# The helper has computed another ICV than the packet's, and the kernel as well.
forgeries_found()
{
	set_mode offload
	grows requests_offloaded grows rechecked grows icv_failures fuzz 2000
}

# without_helper ALGORITHM TCRYPT-MODE: offloading is wished and not possible
without_helper()
{
	set_mode offload
	remember "$1"
	vectors_pass "$2"
	expect_equal "encryptions offloaded" 0 "$(moved "$1" encrypt requests_offloaded)"
	[ "$(moved "$1" encrypt requests_inline)" -gt 10 ]
}

# load ARGUMENT...: the module, with these parameters
load()
{
	# shellcheck disable=SC1091,SC2154
	(. "${WAVECRYPT_VM_RUN:?}/what" && insmod "$module" "$@")
}

reload()
{
	rmmod wavecrypt
	load "$@"
}

# offered: its algorithms, by their drivers. One that is still being tested has an entry
# of its own, besides, of the type "larval".
offered()
{
	awk '
		BEGIN { RS = ""; FS = "\n" }
		/\ntype +: larval/ { next }
		{ for (i = 1; i <= NF; i++) if ($i ~ /^driver.*-wavecrypt$/) print $i }
	' /proc/crypto | sed 's/.*: //' | sort | xargs
}

chosen()
{
	reload algs=gcm,cbc-sha256-esn
	expect_equal "offered" "$(dir_of cbc-sha256-esn)-wavecrypt $gcm-wavecrypt" "$(offered)"
	[[ $(drivers "$authenc") != *wavecrypt* ]]
}

# Once it is loaded, whoever asks for an algorithm is given ours, long as its self-test may be.
at_once()
{
	no_extra_tests N
	reload
	awk '
		BEGIN { RS = ""; FS = "\n" }
		/\ndriver +: [^\n]*-wavecrypt\n/ && (/\ntype +: larval/ || !/\nselftest +: passed/)
	' /proc/crypto >/run/untested
	no_extra_tests Y
	cat /run/untested
	[ ! -s /run/untested ]
}

# What there is not is not passed over.
misspelt()
{
	mark_log
	if reload algs=gcm,rot13; then return 1; fi
	log_since_mark | grep "there is no 'rot13'"
	[ ! -e /sys/module/wavecrypt ]
	expect_equal "offered" '' "$(offered)"
}

# Somebody has a driver's name: that one is left to the kernel, and if there is no other
# the module does not load.
taken()
{
	local i said
	mark_log
	insmod "${test_module%_test.ko}_taken.ko" name="$gcm-wavecrypt"
	for ((i = 0; i < 3; i++)); do
		said=$(load algs=gcm 2>&1) && return 1
		[[ $said == *"Device or resource busy"* ]]
		[ ! -e /sys/module/wavecrypt ]
	done
	load algs=cbc-sha1,gcm
	expect_equal "said so" 4 \
		"$(log_since_mark | grep -c "$gcm-wavecrypt: registering failed: -17\$")"
	expect_equal "offered" "$cbc_sha1-wavecrypt" "$(offered)"
	rmmod wavecrypt wavecrypt_taken
	load algs=cbc-sha1,gcm
	expect_equal "offered" "$cbc_sha1-wavecrypt $gcm-wavecrypt" "$(offered)"
}

# Each request counts, and an emulated helper may take its time.
echo 20000 >/sys/module/wavecrypt/parameters/stall_ms

authenc='authenc(hmac(sha1),cbc(aes))'
rfc4106='rfc4106(gcm(aes))'

# Of the random tests that a kernel with checkers has besides, not all are for a
# helper: see debug/extra.sh.
no_extra_tests()
{
	local extra
	for extra in /sys/module/cryptomgr/parameters/{noextratests,noslowtests}; do
		[ ! -e "$extra" ] || echo "$1" >"$extra"
	done
}
no_extra_tests Y

ktap_begin
ktap_test "$authenc has passed its self-test" tested "$authenc" "$cbc_sha1-wavecrypt"
ktap_test "$rfc4106 has passed its self-test" tested "$rfc4106" "$gcm-wavecrypt"
ktap_test "$authenc is preferred" preferred "$authenc" "$cbc_sha1-wavecrypt" \
	'authenc(hmac(sha1-generic),cbc(aes-generic))' \
	'authenc(hmac-sha1-lib,cbc(aes-lib))'
ktap_test "$rfc4106 is preferred" preferred "$rfc4106" "$gcm-wavecrypt" \
	'rfc4106(gcm_base(ctr(aes-generic),ghash-generic))' \
	'rfc4106(gcm_base(ctr(aes-lib),ghash-lib))' 'rfc4106(gcm_base(ctr(aes-lib)))'
ktap_test "$authenc: every vector through the helper" through_helper "$cbc_sha1" 155
ktap_test "$rfc4106: every vector through the helper" through_helper "$gcm" 151
# Those that have vectors in 6.1, which has the fewest
for label in cbc-sha256 cbc-sha512 null-sha1 chacha20-poly1305; do
	dir=$(dir_of $label)
	if ! modprobe -q pcrypt; then
		ktap_skip "$label: the vectors through the helper" "this kernel has no pcrypt"
	elif [ -z "$(field "$dir-wavecrypt" driver)" ]; then
		ktap_skip "$label: the vectors through the helper" "this kernel has no $label"
	else
		ktap_test "$label: the vectors through the helper" vectors_by_pcrypt "$dir"
	fi
done
ktap_test "every algorithm has passed its self-test and is preferred" all_tested
packets="the benchmark's packets come back from every algorithm"
case $(uname -r) in
6.12.*|7.3*)	ktap_skip "$packets" "6.1 and 7.2 are enough" ;;
*)		ktap_test "$packets" benchmarks_packets ;;
esac
ktap_test "forgeries through the helper are found" forgeries_found
"$here/../vm/helper" stop
ktap_test "$authenc: the vectors with no helper" without_helper "$cbc_sha1" 155
ktap_test "$rfc4106: the vectors with no helper" without_helper "$gcm" 151
ktap_test "loading waits for the self-tests" at_once
ktap_test "algs= chooses what is offered" chosen
ktap_test "algs= with a name that there is not" misspelt
ktap_test "a driver's name that somebody has" taken
ktap_end
