#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# The emulated HSA runtime executes other random instructions than make check's, which are
# always the same: those of the day

SEED=$(date +%-j) exec "$(dirname "$0")/../host/hsa-emu.sh"
