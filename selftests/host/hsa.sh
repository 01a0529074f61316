#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# The hsa backend, from the loopback through the worker and its scheduler to AMD
# machine code, which the emulated runtime executes: results against libcrypto's,
# and what happens when anything fails. The backend knows nothing of all that.
#
# check: first
# debs: package libhsa-runtime-dev/trixie libhsa-runtime64-1/trixie
# make: code-objects
# make: sanitized

set -euo pipefail

top=$(cd "$(dirname "$0")/../.." && pwd)
. "$top/selftests/lib/ktap.sh"

layout=$("$top/selftests/lib/gpu-layout")
emu=$top/build/hsa-emu
O=$top/build/host/memory
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Others build there as well.
build()
{
	mkdir -p "$emu" "$O"
	flock "$emu" make -s --no-print-directory -C "$top/selftests/hsa-emu" O="$emu"
	flock "$O" make -s --no-print-directory -C "$top/selftests/host" O="$O" \
		SANITIZE=address,undefined hsa
	flock "$O" make -s --no-print-directory -C "$top/helperd" O="$O/helperd" \
		SANITIZE=address,undefined CFLAGS="-O1 -g"
	mkdir "$work/code"
	local gfx
	for gfx in gfx801 gfx803 gfx90c; do
		ln -s "$emu/kernels/$gfx.co" "$work/code/$gfx-v$layout.co"
	done
}

# emulated GFX COMMAND...: with the emulated runtime in the place of the real one
emulated()
{
	LD_LIBRARY_PATH=$emu HSA_EMU_AGENTS=$1 HSA_EMU_REPORT=$work/report \
	HSA_EMU_CONTROL=$work/control WAVECRYPT_TEST_CODE=$work/code "${@:2}"
}

# nothing_reported [ALLOWED]: the runtime found nothing wrong, but for what is ALLOWED
nothing_reported()
{
	[ ! -e "$work/report" ] || ! grep -v -E "${1:-^$}" "$work/report"
}

# correct GFX WHAT: of test_hsa's, and nobody takes an event for a fault
correct()
{
	local status=0
	VERBOSE=1 ktap_whole emulated "$1" "$O/test_hsa" "$2" 2>"$work/log" || status=$?
	cat "$work/log"
	! grep "memory fault" "$work/log" || return 1
	nothing_reported || return 1
	return "$status"
}

# What could not be given back, since giving back was made to fail, is all that
# the runtime may miss.
failures()
{
	ktap_whole emulated gfx90c "$O/test_hsa" failures
	nothing_reported 'hsa_shut_down\(\): .* (still (allocated|locked)|not destroyed)$'
}

# listed NAME: what is read, sorted, becomes that file, in which there is something
listed()
{
	sort -u >"$work/$1"
	[ -s "$work/$1" ]
}

# The runtime's functions that the backend uses
functions_used()
{
	sed -n 's/^\tFUNCTION(\(.*\)),$/hsa_\1/p' "$top/helperd/backends/hsa/api.c" |
		listed used
}

# Each of them that can fail is made to.
all_functions_fail()
{
	functions_used
	cat "$top"/selftests/hsa-emu/rt/*.c |
		sed -n 's/^hsa_status_t \(hsa_[a-z_]*\)(.*/\1/p' | sort |
		comm -12 "$work/used" - | listed fail
	expect_equal "never made to fail" '' "$(comm -23 "$work/fail" \
		<(grep -o '".*"' "$top/selftests/host/test_hsa.c" | grep -o 'hsa_[a-z_]*' | sort -u))"
}

# exported_by LIBRARY: all of them
exported_by()
{
	functions_used
	expect_equal "missing" '' "$(comm -23 "$work/used" \
		<(nm -D --defined-only "$1" | sed 's/.* //; s/@.*//' | sort))"
}

# compiles_with DIR: another release's headers
compiles_with()
{
	local file
	for file in "$top"/helperd/backends/hsa/*.c; do
		"${CC:-gcc}" -std=gnu11 -Wall -Wextra -Werror -D_GNU_SOURCE -fsyntax-only \
			-isystem "$1" -I"$top/helperd" -I"$top/driver/uapi" -I"$top/kernels" "$file"
	done
}

# Where there are no such headers there is no such backend, and all else is there.
built_without()
{
	local O=$top/build/host/no-rocm
	mkdir -p "$O"
	flock "$O" make -s --no-print-directory -C "$top/helperd" O="$O" hsa-headers= CFLAGS=-O1
	expect_equal "of the backend" '' "$(nm "$O/wavecryptd" | grep ' hsa_' || true)"
	{ "$O/wavecryptd" --set backend=hsa --test-config 2>&1 || true; } | grep 'no such backend'
	"$O/wavecryptd" --set backend=cpu --test-config
	machine 90012
	{ "$O/wavecryptctl" --root "$work/root" doctor || true; } | grep 'was built without ROCm'
}

# does_without WORDS [DIR]: with no GPU to be had by the runtime in DIR, or by this
# machine's, packets are done and doctor says so
does_without()
{
	# Leaks are the real one's.
	local ASAN_OPTIONS=detect_leaks=0 LD_LIBRARY_PATH=${2-}
	export ASAN_OPTIONS LD_LIBRARY_PATH
	WAVECRYPT_TEST_CODE=$work/code ktap_whole "$O/test_hsa" absent
	machine 90012
	{ "$O/helperd/wavecryptctl" --root "$work/root" doctor || true; } | grep -e "$1"
}

# Runtimes that are of no use
runtimes()
{
	mkdir "$work/none" "$work/old"
	: >"$work/none/libhsa-runtime64.so.1"
	echo 'int hsa_init(void); int hsa_init(void) { return 0; }' |
		"${CC:-gcc}" -shared -fPIC -o "$work/old/libhsa-runtime64.so.1" -x c -
}

# What the documentation predicts is what instructions counted now say.
predicted()
{
	expect_equal "Documentation/hsa.rst" \
		"$("$top/selftests/hsa-emu/predict" | grep -E '^(Carrizo|Vega|RDNA)' | tr -s ' ')" \
		"$(sed -nE 's/^ +((Carrizo|Vega|RDNA).*AES-.*)/\1/p' "$top/Documentation/hsa.rst" |
			tr -s ' ')"
}

# check-hsa, which is for a real GPU, and its report
report()
{
	"$top/selftests/check-hsa" --emulated gfx90c --quick >"$work/out"
	cat "$work/out"
	grep '^All well' "$work/out"
	for words in '^== machine' '^wavecrypt .*, layout' '^runtime: .*libhsa-runtime64' \
		'^== every algorithm' '^ok 4 '; do
		grep -q -e "$words" "$work/out"
	done
	! grep -F "$top" "$top/build/check-hsa/report.txt"
}

# A GPU that is not there: the daemon does not start, and says what there is.
named()
{
	local how status daemon=("$O/helperd/wavecryptd" --set backend=hsa
		--set transport=loopback --set control-socket="$work/socket"
		--set hsa-code="$work/code")
	emulated gfx90c,gfx801 "${daemon[@]}" --set hsa-device=0,gfx801 --test-config
	for how in "--test-config 0,8" "--foreground 8"; do
		status=0
		emulated gfx90c,gfx801 "${daemon[@]}" --set hsa-device="${how#* }" "${how% *}" \
			>"$work/out" 2>&1 || status=$?
		cat "$work/out"
		expect_equal "exit status, $how" 78 "$status"
		grep 'no device "8" that can be used; there is 0 (.*gfx90c.*; 1 (.*gfx801' \
			"$work/out"
	done
	nothing_reported
}

# Nor is check-hsa content.
not_there()
{
	! "$top/selftests/check-hsa" --emulated gfx90c --gpu 8 --quick >"$work/out" || return 1
	cat "$work/out"
	grep '^Something failed' "$work/out"
	grep 'no device "8" that can be used; there is 0 (.*gfx90c' "$work/out"
}

# flipped GFX CONSTANT NTH: one bit of a constant in the machine code is another,
# which the packets' results tell, and the daemon's own check at its start
flipped()
{
	local out=$work/out
	mkdir "$work/flipped"
	"$top/selftests/hsa-emu/flip" "$emu/kernels/$1.co" "$work/flipped/$1-v$layout.co" \
		"$2" "$3"
	! emulated "$1" "$emu/test/project" "$work/flipped/$1-v$layout.co" 40 >"$out" || {
		echo "wrong code, and right results"
		return 1
	}
	grep -q '^not ok' "$out"
	grep -q '^ok' "$out"
	! emulated "$1" env WAVECRYPT_TEST_CODE="$work/flipped" "$O/test_hsa" correct \
		>"$out" || {
		echo "wrong code, and the daemon uses it"
		return 1
	}
	grep -q 'computes something else than the CPU' "$out"
	rm -r "$work/flipped" "$work/report" 2>/dev/null || true
}

# machine GFX_TARGET_VERSION: what the kernel shows of a GPU, below $work/root
machine()
{
	local sys=$work/root/sys
	rm -rf "$work/root"
	mkdir -p "$sys/class/drm/card0/device" "$sys/module/amdgpu" "$sys/class/iommu/ivhd0" \
		"$sys/class/kfd/kfd/topology/nodes/0" "$sys/class/kfd/kfd/topology/nodes/1" \
		"$work/root/dev" "$work/root/etc/wavecrypt"
	echo 0x1002 >"$sys/class/drm/card0/device/vendor"
	echo simd_count 0 >"$sys/class/kfd/kfd/topology/nodes/0/properties"
	printf 'simd_count 32\ngfx_target_version %s\n' "$1" \
		>"$sys/class/kfd/kfd/topology/nodes/1/properties"
	touch "$work/root/dev/kfd"
	printf 'backend = hsa\nhsa-code = %s\n' "$work/code" \
		>"$work/root/etc/wavecrypt/wavecryptd.conf"
}

# doctor GFX: what wavecryptctl says of it, one finding about the GPU on a line
doctor()
{
	# It is not content with a machine that has no module.
	{ emulated "$1" "$O/helperd/wavecryptctl" --root "$work/root" --json doctor || true; } |
		python3 -c '
import json, sys
for f in json.load(sys.stdin)["findings"]:
	if f["check"] == "AMD GPU":
		print(f["grade"] + ":", f["finding"], "->", f.get("advice", ""))'
}

# says GFX WORDS...: each in some line
says()
{
	local words said
	said=$(doctor "$1")
	echo "$said"
	for words in "${@:2}"; do
		grep -q -e "$words" <<<"$said" || { echo "nothing of: $words"; return 1; }
	done
}

diagnosed()
{
	rm -f "$work/report" "$work/control"
	machine 90012
	says gfx90c 'good: amdgpu is loaded' 'good: gfx90c, for which there is' \
		'good: the daemon may open' 'good: ROCm runtime .*hsa-emu/libhsa' \
		'good: tried: it computes what the CPU does.*gfx90c.*version 1.1 (emulated)'
	nothing_reported
	expect_equal "what is not good" '' "$(doctor gfx90c | grep -v '^good' || true)"

	HSA_OVERRIDE_GFX_VERSION=9.0.12 says gfx90c 'note: HSA_OVERRIDE_GFX_VERSION=9.0.12'
	echo 'hsa_amd_memory_lock_to_pool#1=HSA_STATUS_ERROR_OUT_OF_RESOURCES' >"$work/control"
	says gfx90c 'bad: tried: HSA_STATUS_ERROR_OUT_OF_RESOURCES'
	rm "$work/control"
	# One that there is no code for, though there is for its neighbour
	machine 80002
	says gfx900 'bad: gfx802, and there is no .* make code-objects AMDGCN=gfx802; ' \
		"; cp build/code-objects/gfx802-v$layout.co $work/code\$" \
		'bad: tried: no device "auto" that can be used; there is 0 (.*gfx900'
	machine 120000
	says gfx900 'bad: gfx1200, and there is no .* make code-objects AMDGCN=gfx1200; '
	# Another layout's
	mkdir "$work/older"
	ln -s "$emu/kernels/gfx90c.co" "$work/older/gfx90c-v$((layout - 1)).co"
	machine 90012
	echo "hsa-code = $work/older" >>"$work/root/etc/wavecrypt/wavecryptd.conf"
	says gfx90c "bad: gfx90c, and there is no .*/older/gfx90c-v$layout.co"
	machine 120000
	echo 'backend = nonsense' >>"$work/root/etc/wavecrypt/wavecryptd.conf"
	rmdir "$work/root/sys/class/iommu/ivhd0"
	says gfx90c 'note: the IOMMU is off'
	machine 90012
	rm "$work/root/dev/kfd"
	says gfx90c 'bad: amdgpu is loaded, but there is no /dev/kfd -> .* CONFIG_HSA_AMD,'
	rmdir "$work/root/sys/module/amdgpu"
	says gfx90c 'bad: the amdgpu driver is not loaded'
	rm "$work/root/etc/wavecrypt/wavecryptd.conf"
	says gfx90c 'note: there is one, and the daemon is not told'
	echo 0x8086 >"$work/root/sys/class/drm/card0/device/vendor"
	said=$(doctor gfx90c)
	expect_equal "where there is none" '' "$said"
}

ktap_begin
ktap_test "builds" build
debian_13=$("$top/selftests/debs" package libhsa-runtime-dev/trixie libhsa-runtime64-1/trixie)
ktap_test "Debian 12's runtime has what the backend asks for" exported_by \
	"$(ldconfig -p | awk '$1 == "libhsa-runtime64.so.1" && !n++ { print $NF }')"
ktap_test "so has Debian 13's" exported_by \
	"$(echo "$debian_13"/usr/lib/*/libhsa-runtime64.so.1)"
ktap_test "the backend compiles with Debian 13's headers" compiles_with "$debian_13/usr/include"
ktap_test "the helper is built without any" built_without
runtimes
ktap_test "no runtime: the CPU does it all" does_without \
	'no ROCm runtime on this machine' "$work/none"
ktap_test "a runtime that lacks a function: the same" does_without \
	'has no hsa_shut_down' "$work/old"
if [ -e /dev/kfd ]; then
	ktap_skip "a runtime without a GPU" "there is one"
else
	ktap_test "the real runtime, and no GPU: the same" does_without \
		'tried: cannot initialise the ROCm runtime: HSA_STATUS_ERROR'
fi
for gfx in gfx801 gfx803; do
	ktap_test "$gfx: all algorithms, dispatched and persistent" correct $gfx code
done
ktap_test "gfx90c: the same, keys that change, lanes beside the GPU" correct gfx90c correct
ktap_test "a GPU that is not there: the daemon does not start without another" named
ktap_test "whatever can fail is made to" all_functions_fail
ktap_test "whatever fails, no packet is lost" failures
# SHA-1's constants, and masks of the sliced AES
for constant in 5a827999 ca62c1d6 0f0f0f0f; do
	ktap_test "a wrong bit in $constant is noticed" flipped gfx90c $constant 1
done
ktap_test "wavecryptctl doctor tells what is wrong, and tries it" diagnosed
ktap_test "what is predicted" predicted
ktap_test "make check-hsa's report" report
ktap_test "make check-hsa of a GPU that is not there" not_there
ktap_end
