#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# The module's packets lie side by side as a GPU with memory of its own wants them: what
# one CPU submits goes there and back in runs of neighbouring slots, and next to nothing is
# collected one by one. On this CPU, by PoCL, with requests of the crypto API, more of them
# in flight than WC_DEEP.
#
# make: pocl
# uml: 7.2-full --no-helper --test-modules --timeout 1200

set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
# shellcheck source=../lib/ktap.sh
. "$here/../lib/ktap.sh"
# shellcheck source=../lib/wavecrypt.sh
. "$here/../lib/wavecrypt.sh"
# shellcheck source=pocl.bash
. "$here/pocl.bash"
# shellcheck source=../bench/kmod.bash
. "$here/../bench/kmod.bash"

load_bench
echo 20000 >/sys/module/wavecrypt/parameters/stall_ms
set_mode offload
pocl copy
helper_settings+=(--set device-chunk=512 --set entries=4096)

started()
{
	taskset -c 1 env "${helper_environment[@]}" \
		"$here/../vm/helper" start "${helper_settings[@]}"
}

# counts: of the helper's device, PACKETS, RUNS, packets that were COLLECTED, and CHUNKS
counts()
{
	"$top/build/helperd/wavecryptctl" metrics | awk '
		/^wavecrypt_worker_device_packets_total/ { packets += $2 }
		/^wavecrypt_worker_device_chunks_total/ { chunks += $2 }
		/^wavecrypt_worker_device_runs_total/ { runs += $2 }
		/^wavecrypt_worker_device_packed_packets_total/ { packed += $2 }
		END { print packets + 0, runs + 0, packed + 0, chunks + 0 }'
}

# in_runs ALG SPECIFICATION
in_runs()
{
	local name before after packets runs packed

	name=$(driver "$1")
	read -ra before < <(counts)
	measured "what=aead samples=1 warm_us=0 slice_us=100000 depth=1536 alg=$1 $2 base=$name test=$name"
	read -ra after < <(counts)
	packets=$((after[0] - before[0]))
	runs=$((after[1] - before[1]))
	packed=$((after[2] - before[2]))
	echo "figure: $packets packets, $runs runs, $packed collected one by one, $((after[3] - before[3])) chunks"
	[ "$packets" -ge 1000 ] && [ "$runs" -gt 0 ] && [ $((10 * packed)) -lt "$packets" ]
}

ktap_begin
ktap_test "a helper with PoCL" started
for alg in cbc-sha1 gcm; do
	for op in encrypt decrypt; do
		ktap_test "$alg $op, 1408 B" in_runs "$alg" "op=$op len=1408"
	done
done
"$here/../vm/helper" stop
ktap_end
