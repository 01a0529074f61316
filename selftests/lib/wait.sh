# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.

# wait_until SECONDS COMMAND...: for what has no event to wait for. A function in_vain,
# where there is one, says more when it does not happen.
wait_until()
{
	local deadline=$((SECONDS + $1))
	shift
	until "$@" >/dev/null 2>&1; do
		[ "$SECONDS" -lt "$deadline" ] || {
			echo "in vain: $*"
			! declare -F in_vain >/dev/null || in_vain
			return 1
		}
		sleep 0.1
	done
}
