# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# A helper that has all packets done by OpenCL's kernels, on this CPU by PoCL.
# Source it after emulated_gpu.bash, whose gpu_counts and gpu_ends do for it, too.
# shellcheck disable=SC2034,SC2154 # used by the suites, set by them

# pocl shared|copy|persistent: what module_load starts
pocl()
{
	gpu_dir=$(mktemp -d)
	helper_environment=("$top/selftests/lib/pocl")
	helper_settings=(--set backend=opencl --set opencl-device=cpu
		--set "opencl-cache=$gpu_dir" --set "opencl-memory=$1"
		--set opencl-groups=1 --set balance=no --set device-chunk=128
		--set device-timeout-ms=30000)
}
