#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# The module builds without a warning for every kernel whose headers the Debian archive
# has at the moment: its releases, their backports, and the flavours for clouds and for
# real time. (In make check: the newest of each series.)

set -euo pipefail

top=$(cd "$(dirname "$0")/../.." && pwd)
cd "$top"
# shellcheck source=../lib/ktap.sh
. selftests/lib/ktap.sh

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# compiles HEADERS: there they are
compiles()
{
	make -s --no-print-directory KDIR="$1" MODDIR="$work/module" \
		MODARGS="W=1 KCFLAGS=-Werror" module
}

# Half a gigabyte all together, of which nothing is needed twice. A kernel for real time
# that does not keep BH to one at a time is refused, in so many words.
builds()
{
	local dir
	dir=$(selftests/debs headers "$1")
	if [[ $1 == *-rt-* && ! $1 =~ ^6\.(1|12)\. ]] &&
	   ! grep -q '^CONFIG_PREEMPT_RT_NEEDS_BH_LOCK=y' "$dir/headers/.config"; then
		! compiles "$dir/headers" >"$work/log" 2>&1 || return 1
		grep 'needs CONFIG_PREEMPT_RT_NEEDS_BH_LOCK' "$work/log"
	else
		compiles "$dir/headers"
	fi
	rm -rf "$dir" "$work/module"
}

ktap_begin
if releases=$(selftests/debs releases) && [ -n "$releases" ]; then
	for release in $releases; do
		ktap_test "$release" builds "$release"
	done
else
	ktap_skip "every kernel's headers" "the Debian archive does not answer"
fi
ktap_end
