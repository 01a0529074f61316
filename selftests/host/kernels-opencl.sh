#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# The GPU kernels on an OpenCL device whose memory is shared with the host, which
# is PoCL where there is nothing better: launched for each batch, and persistent.
# That is the same code but for the ring of groups, which goes round often enough
# with the packets around edges.
#
# make: kernels-test

set -euo pipefail

. "$(dirname "$0")/kernels/lib.sh"

ktap_begin
kernels_build "$O"
# Its own cache: what is tested is what was built from this source, by this PoCL.
export POCL_CACHE_DIR=$O/pocl
mkdir -p "$POCL_CACHE_DIR"
kernels_subtests "a launch for each batch" "$O/test-narrow" batch
kernels_subtests "persistent" "$O/test-narrow" persistent few
ktap_end
