#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# The GPU kernels, compiled for this processor, against libcrypto: all that there
# is to test in the narrow shape; and in both shapes with sanitizers, of which the
# one for addresses sees the end of a work-group's local memory, what can be done
# in a short time. (In the wide shape, a shuffle is 32 switches of stacks here.)
#
# make: kernels-test

set -euo pipefail

. "$(dirname "$0")/kernels/lib.sh"

ktap_begin
kernels_build "$O"
kernels_build "$O-sanitized" SANITIZE=address,undefined tests
kernels_subtests "narrow" "$O/test-narrow" hosted
kernels_subtests "narrow, sanitized" "$O-sanitized/test-narrow" hosted few
kernels_subtests "wide, sanitized" "$O-sanitized/test-wide" hosted few
ktap_end
