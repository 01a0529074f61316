#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# The last of a burst come back as the others do. They may be published while the module
# takes what it has been told of by the last bell, so that it looks as if that were yet to
# be heard, and nothing follows that would have it look once more. And who submits, and is
# going to look anyhow, is seldom interrupted. With requests of the crypto API.
#
# check: alone
# uml: 7.2-full --no-helper --test-modules --timeout 300

set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=../lib/ktap.sh
. "$here/../lib/ktap.sh"
# shellcheck source=../lib/wavecrypt.sh
. "$here/../lib/wavecrypt.sh"
# shellcheck source=../bench/kmod.bash
. "$here/../bench/kmod.bash"
# shellcheck source=../bench/gateways
. "$here/../bench/gateways"

load_bench
echo 20000 >/sys/module/wavecrypt/parameters/stall_ms
# A bell that seems to be lost is not rung again. What nobody rings for is found when the
# module looks by itself, after 10 ms.
taskset -c 1 "$here/../vm/helper" start --set bell-again-us=1000000

bursts=400 late_ns=3000000

# late MODE DEPTH: after how many bursts the last were waited for so long. They are short,
# for somebody else may take a CPU away during each.
late()
{
	local name=$cbc_sha1-wavecrypt said gaps

	set_mode "$1"
	said=$(measure "what=aead alg=cbc-sha1 len=1408 depth=$2 samples=$((bursts / 2)) warm_us=0 \
slice_us=500 base=$name test=$name")
	gaps=$(sed -n 's/.*"gap_ns":\([0-9]*\).*/\1/p' <<<"$said")
	[ "$(wc -l <<<"$gaps")" = "$bursts" ] || {
		tail -n 3 <<<"$said" >&2
		return 1
	}
	awk -v late="$late_ns" '$1 > late { nr++ } END { print nr + 0 }' <<<"$gaps"
}

# in_time DEPTH: where others take a CPU away it happens whoever does it, and to a helper as
# well; not as often as by a wake-up that is lost, which was after one burst in three
in_time()
{
	local inline offload tries

	for ((tries = 0; tries < 3; tries++)); do
		inline=$(late inline "$1") && offload=$(late offload "$1") || return 1
		echo "figure: late after $offload of $bursts bursts, done inline after $inline"
		((offload >= bursts / 5 + inline)) || return 0
	done
	return 1
}

# rung: how often, while bursts follow each other
rung()
{
	local name=$cbc_sha1-wavecrypt bells offloaded tries

	set_mode offload
	for ((tries = 0; tries < 3; tries++)); do
		bells=$(of_queues bells)
		offloaded=$(counter "$cbc_sha1.encrypt" requests_offloaded)
		measured "what=aead alg=cbc-sha1 len=1408 depth=512 burst=128 samples=20 \
warm_us=0 slice_us=10000 base=$name test=$name" >/dev/null || return
		bells=$(($(of_queues bells) - bells))
		offloaded=$(($(counter "$cbc_sha1.encrypt" requests_offloaded) - offloaded))
		echo "figure: $bells bells for $offloaded requests"
		# It is one for 200 if the helper is not told who looks anyhow.
		((offloaded == 0 || bells * 800 >= offloaded)) || return 0
	done
	return 1
}

# emptied: of what was decrypted, XFRM's queue takes on 64 packets at a time, and drops what is
# beyond its length. That is half of what may be pending of an SA: were all that has come
# back put there at once, some would be lost.
emptied()
{
	local offloaded run spec="what=gateway op=decrypt len=64 depth=4096 samples=8"

	set_mode offload
	offloaded=$(counter "$cbc_sha1.decrypt" requests_offloaded)
	for run in 1 2 3 4; do
		measured "$spec slice_us=50000 base=10.1.$run.2 test=10.1.$run.2" >/dev/null || return
	done
	offloaded=$(($(counter "$cbc_sha1.decrypt" requests_offloaded) - offloaded))
	echo "figure: $offloaded requests"
	((offloaded > 10000))
}

gateways
for number in 1 2 3 4; do
	tunnel "$number" cbc-sha1
done
sysctl -qw net.core.netdev_max_backlog=512

ktap_begin
ktap_test "64 in flight" in_time 64
ktap_test "256 in flight" in_time 256
ktap_test "1024 in flight" in_time 1024
ktap_test "bells in the middle of bursts" rung
ktap_test "decrypted, they do not come all at once" emptied
ktap_end
