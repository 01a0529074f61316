# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# A helper that has all packets done by AMD machine code, for suites in the
# guest: with the emulated HSA runtime in the place of the real one, which
# executes the code object on the module's memory where it is. Source it after
# gateways.bash; $top is this checkout.
# shellcheck disable=SC2034,SC2154 # used by the suites, set by them

# emulated_gpu GFX[,GFX...] dispatch|persistent: what module_load starts, of gfx90c, gfx803
# and gfx801
emulated_gpu()
{
	local emu=$top/build/hsa-emu layout gfx
	layout=$("$top/selftests/lib/gpu-layout")
	gpu_dir=$(mktemp -d)
	mkdir "$gpu_dir/code"
	for gfx in ${1//,/ }; do
		ln -sf "$emu/kernels/$gfx.co" "$gpu_dir/code/$gfx-v$layout.co"
	done
	: >"$gpu_dir/control"
	helper_environment=("LD_LIBRARY_PATH=$emu" "HSA_EMU_AGENTS=$1"
		"HSA_EMU_REPORT=$gpu_dir/report" "HSA_EMU_CONTROL=$gpu_dir/control")
	helper_settings=(--set backend=hsa --set "hsa-code=$gpu_dir/code"
		--set "hsa-mode=$2" --set hsa-groups=1 --set balance=no
		--set device-chunk=128 --set device-timeout-ms=10000 --set device-retry-ms=500)
}

# gpu_counts: what the helper's device has done, PACKETS and CHUNKS-THAT-FAILED
gpu_counts()
{
	"$top/build/helperd/wavecryptctl" metrics | awk '
		/^wavecrypt_worker_device_packets_total/ { packets += $2 }
		/^wavecrypt_worker_device_failed_chunks_total/ { failed += $2 }
		END { print packets + 0, failed + 0 }'
}

# gpu_fails RULE: see selftests/hsa-emu/rt/inject.h
gpu_fails()
{
	echo "$1" >"$gpu_dir/next"
	mv "$gpu_dir/next" "$gpu_dir/control"
}

# The helper ends, and the runtime has found no mistake, nor missed what it gave.
gpu_ends()
{
	"$here/../vm/helper" stop
	[ ! -e "$gpu_dir/report" ] || { cat "$gpu_dir/report"; return 1; }
}
