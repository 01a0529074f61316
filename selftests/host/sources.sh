#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# What packages are made of; nothing is built.

set -euo pipefail

top=$(cd "$(dirname "$0")/../.." && pwd)
cd "$top"
. selftests/lib/ktap.sh

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tree=$work/wavecrypt

# copied [NAME=VALUE...]: from $tree into $work/copy, as for a package, whatever this
# machine's git trusts
copied()
{
	rm -rf "$work/copy"
	mkdir "$work/copy"
	(
		cd "$tree"
		# shellcheck disable=SC2016 # for that shell
		env GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null "$@" \
			bash -euo pipefail -c '. packaging/sources.bash; sources_copy 0.0 "$1"' \
			bash "$work/copy"
	)
}

# A checkout, in which somebody has left what is theirs
checkout()
{
	mkdir "$tree"
	selftests/lib/tracked | tar -cf - -T - | tar -C "$tree" -xf -
	git -C "$tree" init -q
	git -C "$tree" add .
	mkdir "$tree/build"
	touch "$tree"/{ignored.o,not-added,build/built}
}

added_alone()
{
	copied
	diff <(git -C "$tree" ls-files) <(cd "$work/copy" && find . -type f | sed 's,^\./,,' | sort)
	grep '^#define WAVECRYPT_VERSION.*"0\.0"' "$work/copy/driver/uapi/version.h"
}

# As where the checkout is another user's
not_of_others()
{
	! copied GIT_TEST_ASSUME_DIFFERENT_OWNER=1 2>"$work/said" || return 1
	cat "$work/said"
	grep -F "git config --global --add safe.directory '$tree'" "$work/said"
	expect_equal "copied" '' "$(find "$work/copy" -type f)"
}

of_an_archive()
{
	mv "$tree/.git" "$work/git"
	mkdir "$tree/within"
	cp -r "$work/git" "$tree/within/.git"
	copied
	rm -r "$tree/within"
	mv "$work/git" "$tree/.git"
	[ -e "$work/copy/Makefile" ]
	expect_equal "git's own, and what was built" '' \
		"$(cd "$work/copy" && find . -name .git -o -path ./build)"
}

ktap_begin
ktap_test "a checkout" checkout
ktap_test "packages are made of what git was told of" added_alone
ktap_test "and of nothing where git does not say" not_of_others
ktap_test "or of an archive" of_an_archive
ktap_end
