#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# Tunnels whose packets PoCL encrypts and decrypts by OpenCL's kernels, in the
# module's memory. See xfrm.sh for others.
#
# make: pocl
# uml: 7.2-full --timeout 900
# debug: uml

set -euo pipefail

exec "$(dirname "$0")/xfrm.sh" --backend opencl
