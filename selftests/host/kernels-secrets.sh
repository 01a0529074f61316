#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# Neither addresses nor branches of the GPU kernels depend on keys or payload:
# valgrind watches them, compiled for this processor. It must also find what was
# planted.
#
# make: kernels-test

set -euo pipefail

. "$(dirname "$0")/kernels/lib.sh"

watched()
{
	valgrind -q "$O/$1" "${@:2}" 2>&1 | sed 's/^==/# ==/'
}

ktap_begin
kernels_build "$O"
kernels_subtests "narrow" watched secrets-narrow
kernels_subtests "wide" watched secrets-wide
kernels_subtests "with look-ups planted in ciphers" watched leak-lookup ciphers
kernels_subtests "with branches planted in ciphers" watched leak-branch ciphers
kernels_subtests "with look-ups planted in what authenticates" watched leak-sums sums
ktap_end
