#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# What packages are made of, as which version, and what "make clean" removes; nothing
# is built.

set -euo pipefail

top=$(cd "$(dirname "$0")/../.." && pwd)
cd "$top"
. selftests/lib/ktap.sh

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tree=$work/wavecrypt
# What builds packages does nothing.
mkdir "$work/bin"
ln -s /bin/true "$work/bin/dpkg-buildpackage"
ln -s /bin/true "$work/bin/rpmbuild"
export PATH=$work/bin:$PATH

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

# Epochs, revisions, and what is a path or more than a word
versions()
{
	local kind version status
	for kind in debs rpms; do
		for version in 1:0.5 0.5-1 "0.5 6" 0.5/6 v0.5; do
			status=0
			"$tree/packaging/$kind" "$version" 2>"$work/said" || status=$?
			cat "$work/said"
			expect_equal "$kind $version" 2 "$status"
			grep -F "\"$version\" is no version here" "$work/said"
		done
	done
	[ ! -e "$tree/build/deb" ]
}

# Nothing comes of it, and of before there is nothing left
no_deb()
{
	local status=0
	mkdir -p "$tree/build/deb"
	touch "$tree"/build/deb/wavecryptd_0.0{_amd64.deb,.1_amd64.deb}
	"$tree/packaging/debs" 0.1~rc1+2 2>"$work/said" || status=$?
	cat "$work/said"
	expect_equal "status" 1 "$status"
	grep "^debs: no build/deb/.*build/deb/log" "$work/said"
	expect_equal "older ones" '' "$(find "$tree/build/deb" -name '*.deb')"
}

# What is downloaded stays; and what is in another directory, unless that is asked for.
cleaned()
{
	mkdir -p "$work/other/built" "$tree"/build/{apt,headers,kernels,packages,sources}
	BUILD=$work/other make -s -C "$tree" clean
	[ -e "$work/other/built" ]
	expect_equal "left" "apt headers kernels packages sources" \
		"$(cd "$tree/build" && printf '%s\n' * | xargs)"
	BUILD=$work/other make -s -C "$tree" distclean
	[ -e "$work/other/built" ]
	[ ! -e "$tree/build" ]
	make -s -C "$tree" BUILD="$work/other" clean
	[ ! -e "$work/other/built" ]
	! make -s -C "$tree" BUILD= help >"$work/said" 2>&1 || return 1
	grep "BUILD names no directory" "$work/said"
}

ktap_begin
ktap_test "a checkout" checkout
ktap_test "packages are made of what git was told of" added_alone
ktap_test "and of nothing where git does not say" not_of_others
ktap_test "or of an archive" of_an_archive
ktap_test "versions that cannot be are refused" versions
ktap_test "what was not built is said, and older packages go" no_deb
ktap_test "make clean keeps what it has to" cleaned
ktap_end
