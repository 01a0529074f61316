#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# What the router tries in vain it tries ever more rarely, whatever keeps a trial from
# being judged; and what pays only together it tries together, whatever this CPU did
# before. With requests of the crypto API.
#
# check: alone
# uml: 7.2-full --test-modules --timeout 600

set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=../lib/ktap.sh
. "$here/../lib/ktap.sh"
# shellcheck source=../lib/wavecrypt.sh
. "$here/../lib/wavecrypt.sh"
# shellcheck source=../lib/wait.sh
. "$here/../lib/wait.sh"
# shellcheck source=../bench/kmod.bash
. "$here/../bench/kmod.bash"

load_bench
set_mode auto

# alternate DEPTH SAMPLES [WORD]: AES-GCM with so few in flight, which is far slower by a helper, so
# slow that there seems to be little to do. It goes on for 20 ms each time, in which there may be
# a trial, and then there is none for as long.
alternate()
{
	measured "what=aead alg=gcm len=1408 depth=$1 samples=$2 warm_us=10000 slice_us=10000 \
base=$(driver gcm) test=$gcm-wavecrypt ${3-}" >/dev/null
}

# disks: what may wait in a backlog is not IPsec's: of an SA that has but such nothing is
# tried, and its key has no place
disks()
{
	local word before tried

	for word in backlog=0 backlog=1; do
		# What was found out before counts no more.
		set_mode auto
		before=$(counter "$gcm.encrypt" requests_offloaded)
		alternate 4 50 "$word" || return 1
		tried=$(($(counter "$gcm.encrypt" requests_offloaded) - before))
		echo "figure: $tried offloaded with $word"
		[ $((tried > 0)) != "${word#*=}" ] || return 1
	done
}

# sha512_past COUNT: of its requests more have been offloaded
sha512_past()
{
	[ "$(counter "$sha512.encrypt" requests_offloaded)" -gt "$1" ]
}

# none_pending: the helper has nothing to do
none_pending()
{
	[ "$(of_queues depth)" -eq 0 ]
}

# disk_kept: nor is anything of one whose key has a place from when the mode was another,
# though it would gain. It is to be tried again if the requests were over when the mode changed.
disk_kept()
{
	local sha512=authenc-hmac-sha512-cbc-aes bench before

	set_mode offload
	before=$(counter "$sha512.encrypt" requests_offloaded)
	# Who measures leaves its processor to nobody else, and this test needs one meanwhile.
	{
		taskset -cp 0 "$BASHPID"
		measured "what=aead alg=cbc-sha512 len=1408 depth=256 slice_us=10000 warm_us=0 \
samples=150 base=$sha512-wavecrypt test=$sha512-wavecrypt backlog=1"
	} >/dev/null &
	bench=$!
	taskset -cp 1 "$BASHPID" >/dev/null
	# In the end there is nothing more on its way to the helper.
	{ wait_until 4 sha512_past "$before" && set_mode auto && wait_until 4 none_pending &&
		kill -0 "$bench"; } || {
		wait "$bench" || exit
		return 1
	}
	echo "$(($(counter "$sha512.encrypt" requests_offloaded) - before)) offloaded before"
	before=$(counter "$sha512.encrypt" requests_offloaded)
	wait "$bench" || exit
	expect_equal "offloaded since" "$before" \
		"$(counter "$sha512.encrypt" requests_offloaded)" || exit
}

# seldom DEPTH: once it is known that it is slower
seldom()
{
	local tries inline before

	before=$(counter "$gcm.encrypt" requests_inline)
	alternate "$1" 50 || return 1
	tries=$(counter "$gcm.encrypt" requests_offloaded)
	# There is a helper, and it was tried.
	((tries > 0)) || return 1
	inline=$(counter "$gcm.encrypt" requests_inline)
	before=$((inline - before))
	alternate "$1" 100 || return 1
	tries=$(($(counter "$gcm.encrypt" requests_offloaded) - tries))
	inline=$(($(counter "$gcm.encrypt" requests_inline) - inline))
	echo "figure: $tries offloaded, $inline inline"
	# A trial in 160 ms is 2,000 of them, about, and one in 20 ms 18,000 and more. What was
	# done before, in half of the time, says that there was as much to try.
	((tries < 6000 && inline > before / 5))
}

# kernels: the kernel's own driver, which wavecrypt falls back on
kernels()
{
	drivers "authenc(hmac(sha1),cbc(aes))" | awk '$2 !~ /wavecrypt/ && !nr++ { print $2 }'
}

# mixed OP: packets of all sizes, thousands of them in flight, in turn with the kernel's driver;
# prints how many times as fast as that
mixed()
{
	local said

	said=$(measured "what=aead alg=cbc-sha1 op=$1 len=0 depth=4096 samples=20 settle_us=200000 \
warm_us=10000 slice_us=10000 base=$(kernels) test=$cbc_sha1-wavecrypt") || return
	awk -F '[:,]' '/"side":/ {
		for (i = 1; i < NF; i++)
			if ($i ~ /"packets"/)
				packets = $(i + 1)
			else if ($i ~ /"wall_ns"/)
				wall[$2] += $(i + 1) / packets
	}
	END { printf "%.2f\n", wall[0] / wall[1] }' <<<"$said"
}

# worth_it TIMES: the kernel's rate. If not, somebody else may need the helper's processor.
worth_it()
{
	[[ $(bc <<<"$1 > 1.5") == 1 ]]
}

# apart ARGUMENT...: a helper that by itself would share the submitter's processor
apart()
{
	"$here/../vm/helper" stop
	taskset -c 1 "$here/../vm/helper" start "$@"
}

# together: while encryption, which is over, is known to be worth it, decryption is found to be.
# One size alone is not: those that are not offloaded wait for those that are.
together()
{
	local round forced found busy=0

	apart
	for ((round = 0; round < 8; round++)); do
		set_mode offload
		forced=$(mixed decrypt) || return
		echo "figure: by force $forced times the kernel's rate"
		worth_it "$forced" || {
			((++busy < 4)) || ktap_cannot "offloading is not worth it, the machine is busy"
			continue
		}
		set_mode auto
		mixed encrypt >/dev/null || return
		found=$(mixed decrypt) || return
		echo "figure: by itself $found times"
		[[ $(bc <<<"$found > 0.8 * $forced") == 0 ]] || return 0
	done
	return 1
}

# shared PREFER: a helper with few packets side by side takes longer for one than this CPU to
# hand it over. Whether this CPU does some itself then, because of what the helper says: that
# packets come late cannot be why, for they may take a second, nor a stall.
shared()
{
	local sha512=authenc-hmac-sha512-cbc-aes round spec inline offloaded parameters forced

	apart --set batch-max=8
	parameters=/sys/module/wavecrypt/parameters
	echo 1000000 >"$parameters"/latency_us
	echo 20000 >"$parameters"/stall_ms
	echo "$1" >"$parameters"/prefer
	set_mode auto
	spec="what=aead alg=cbc-sha512 len=1408 depth=256 slice_us=10000 \
base=$sha512-wavecrypt test=$sha512-wavecrypt"
	for ((round = 0; round < 8; round++)); do
		measured "$spec samples=20 settle_us=200000" >/dev/null || return
		inline=$(counter "$sha512.encrypt" requests_inline)
		offloaded=$(counter "$sha512.encrypt" requests_offloaded)
		measured "$spec samples=20 warm_us=0" >/dev/null || return
		inline=$(($(counter "$sha512.encrypt" requests_inline) - inline))
		offloaded=$(($(counter "$sha512.encrypt" requests_offloaded) - offloaded))
		echo "figure: $inline inline, $offloaded offloaded"
		# Trials of what is settled are a percent.
		case $1 in
		throughput)	((inline * 20 < offloaded || inline > offloaded)) || return 0 ;;
		cpu)		((inline * 20 >= offloaded)) || return 0 ;;
		esac
	done
	apart
	set_mode offload
	forced=$(mixed decrypt) || return
	worth_it "$forced" ||
		ktap_cannot "offloading is not worth it, $forced times the kernel's rate: the machine is busy"
	return 1
}

ktap_begin
ktap_test "one in flight" seldom 1
ktap_test "four in flight" seldom 4
ktap_test "none for who may wait in a backlog" disks
ktap_test "nor if it had some when the mode was offload" in_tries 5 disk_kept
ktap_test "several sizes, after another direction" together
ktap_test "a helper has no more than it has a use for" shared throughput
ktap_test "or all there is, if that spares this CPU" shared cpu
ktap_end
