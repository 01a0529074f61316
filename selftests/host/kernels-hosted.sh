#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# The GPU kernels, compiled for this processor, against libcrypto: all of them in
# the narrow shape, and those in the wide shape that do not take too long, for
# each of its shuffles is 32 switches of stacks here.

set -euo pipefail

. "$(dirname "$0")/kernels/lib.sh"

kernels_begin
kernels_subtests "narrow" "$O/test-narrow" hosted
kernels_subtests "wide" "$O/test-wide" hosted few
ktap_end
