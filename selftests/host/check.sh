#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# selftests/check counts what comes of a suite, however that ends.

set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=../lib/ktap.sh
. "$here/../lib/ktap.sh"
# shellcheck source=../lib/wait.sh
. "$here/../lib/wait.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"/selftests/{style,host,guest,lib}
touch "$work"/selftests/{host,guest}/no-suite
cp "$here/../check" "$work/selftests/"
cp "$here"/../lib/ktap{-sum,.sh} "$work/selftests/lib/"

# suite NAME: is what standard input says
suite()
{
	cat - >"$work/selftests/style/$1.sh"
	chmod +x "$work/selftests/style/$1.sh"
}

passes='echo "KTAP version 1"; echo "ok 1 this"; echo "1..1"'
suite good <<<"#!/bin/bash
$passes"
suite bad <<<'#!/bin/bash
echo "KTAP version 1"; echo "not ok 1 that"; echo "1..1"; exit 1'
suite half <<<'#!/bin/bash
echo "KTAP version 1"; echo "ok 1 this"; echo "1..2"'
# At the same time, and while something else is reported
for name in killed shot; do
	suite $name <<<"#!/bin/bash
$passes
sleep 1
kill -KILL \$\$"
done
suite long <<<"#!/bin/bash
sleep 2
$passes"

# One for two kinds of guest, which are told apart by what starts them
mkdir -p "$work"/selftests/{vm,uml,debug,long}
for tool in debs uml/build vm/run debug/uml; do
	# shellcheck disable=SC2016 # for the tool's shell
	cat - >"$work/selftests/$tool" <<<'#!/bin/sh
case $0 in
*/run)	until [ "$1" = -- ]; do shift; done
	shift
	"$@" ;;
*/uml)	while [ $# -gt 1 ]; do shift; done
	"$1" ;;
esac'
	chmod +x "$work/selftests/$tool"
done
suite both <<<"#!/bin/bash
# vm: --kernel 6.1 --no-module
# uml: 7.2-full --no-module
$passes"
# shellcheck disable=SC2016 # for the suite's shell
suite brief <<<'#!/bin/bash
# vm: --kernel 6.1 --no-module -- --only 2
echo "KTAP version 1"; echo "ok 1 $*"; echo "1..1"'
mv "$work"/selftests/style/{both,brief}.sh "$work/selftests/guest/"
suite checked <<<"#!/bin/bash
# uml: 7.2-full
# debug: uml72
$passes"
mv "$work/selftests/style/checked.sh" "$work/selftests/guest/"
suite thorough <<<"#!/bin/bash
$passes"
mv "$work/selftests/style/thorough.sh" "$work/selftests/long/"
cat - >"$work/selftests/lib/tracked" <<<'#!/bin/sh
exec find selftests -type f'
chmod +x "$work/selftests/lib/tracked"
suite quotes <<<"#!/bin/bash
: '
# vm: --kernel 6.1 --no-module
'
$passes"

# Who runs beside whom, from the time they begin and end at
for name in alone lonely quick slow; do
	suite $name <<<"#!/bin/bash
$(case $name in *lone*) echo "# check: alone" ;; slow) echo "# check: first" ;; esac)
echo $name begins >>'$work/when'
sleep $(case $name in quick) echo 0 ;; *) echo 1 ;; esac)
echo $name ends >>'$work/when'
$passes"
done
suite hangs <<<"#!/bin/bash
touch '$work/hangs'
sleep 1000"
for nr in 1 2 3 4 5 6; do
	suite "bad$nr" <"$work/selftests/style/bad.sh"
done

# counted WHAT SUITE...: the last line of a check of these
counted()
{
	local status=0
	JOBS=8 "$work/selftests/check" "${@:2}" >"$work/said" 2>&1 || status=$?
	cat "$work/said"
	expect_equal "it says" "$1" "$(tail -n 1 "$work/said")"
	[[ $1 != *", 0 failed"* ]] || [ "$status" -eq 0 ]
	[[ $1 == *", 0 failed"* ]] || [ "$status" -eq 1 ]
}

# named SUITE...: it has failed
named()
{
	local name
	for name in "$@"; do
		grep "^FAIL $name " "$work/said"
	done
}

in_guests()
{
	counted "2 passed, 0 failed" both
	grep '^ok   both-6.1 ' "$work/said"
	grep '^ok   both-7.2-full ' "$work/said"
}

with_arguments()
{
	counted "1 passed, 0 failed" brief
	grep '^ok 1 --only 2$' "$work/build/check/brief-6.1.ktap"
}

not_in_a_guest()
{
	counted "1 passed, 0 failed" quotes
	grep '^ok   quotes ' "$work/said"
}

killed()
{
	counted "3 passed, 2 failed" killed shot long
	named killed shot
}

# passes HOW SUITE NAME WORD: it took so long
passes()
{
	counted "1 passed, 0 failed" "$1" "$2"
	grep -E "^ok   $3 +$4 " "$work/said"
}

# passed_before HOW SUITE NAME: in the output
passed_before()
{
	passes "$@" "[0-9]+ s"
	passes "$@" before
	echo "# another's" >>"$work/selftests/style/good.sh"
	passes "$@" before
	echo "# a source" >>"$work/selftests/lib/ktap-sum"
	passes "$@" "[0-9]+ s"
}

# One that another suite is part of
passed_around()
{
	suite around <<<"#!/bin/bash
: '\$here/good.sh'
$passes"
	mv "$work/selftests/style/around.sh" "$work/selftests/long/"
	passes --long around around "[0-9]+ s"
	passes --long around around before
	echo "# its" >>"$work/selftests/style/good.sh"
	passes --long around around "[0-9]+ s"
}

# What has skipped all may have something to say another time.
skipped_before()
{
	suite meager <<<'#!/bin/bash
echo "KTAP version 1"; echo "ok 1 that # SKIP not today"; echo "1..1"'
	mv "$work/selftests/style/meager.sh" "$work/selftests/long/"
	counted "1 passed, 0 failed, 1 skipped" --long meager thorough
	counted "1 passed, 0 failed, 1 skipped" --long meager thorough
	grep -E "^ok   thorough +before " "$work/said"
	grep -E "^ok   meager +[0-9]+ s " "$work/said"
}

# It finds out in the midst of it.
cannot_tell()
{
	# shellcheck disable=SC2016 # for the suite's shell
	suite unsure <<<'#!/bin/bash
. "$(dirname "$0")/../lib/ktap.sh"
that() { echo "it was tried"; ktap_cannot "not today"; false; }
ktap_begin
ktap_test "that" that
ktap_test "this" true
ktap_end'
	counted "1 passed, 0 failed, 1 skipped" unsure
	grep -x 'ok 1 that # SKIP not today' "$work/build/check/unsure.ktap"
}

# Without a name, either is all there is of its kind.
of_a_kind()
{
	counted "1 passed, 0 failed" --long
	grep '^ok   thorough ' "$work/said"
	counted "1 passed, 0 failed" --debug
	grep '^ok   checked-7.2-debug ' "$work/said"
}

failed()
{
	counted "2 passed, 2 failed" good bad half
	named bad half
}

# One at a time, in the end
in_peace()
{
	rm -f "$work/when"
	counted "4 passed, 0 failed" alone lonely slow quick
	expect_equal "the end" "$(printf '%s\n' {alone,lonely}\ {begins,ends})" \
		"$(tail -n +5 "$work/when")"
}

# A word that is meant to be one of those is not passed over.
unknown_word()
{
	suite odd <<<"#!/bin/bash
# check: last
$passes"
	! "$work/selftests/check" good >"$work/said" 2>&1 || return 1
	rm "$work/selftests/style/odd.sh"
	cat "$work/said"
	grep '^check: selftests/style/odd.sh: what is last?$' "$work/said"
}

once_more()
{
	counted "1 passed, 5 failed" --again good bad{1..5}
	expect_equal "once more" 5 "$(grep -c '^bad. once more, by itself' "$work/said")"
}

# That is no busy machine.
no_more()
{
	counted "1 passed, 6 failed" --again good bad{1..6}
	grep '^6 suites failed, .*: none is run once more$' "$work/said"
	expect_equal "once more" 0 "$(grep -c 'once more, by itself' "$work/said")"
}

# Who ends a check because of a suite that does not end learns which it was.
ended()
{
	local pid status=0
	JOBS=8 "$work/selftests/check" good hangs >"$work/said" 2>&1 &
	pid=$!
	wait_while "$pid" 60 test -e "$work/hangs"
	wait_while "$pid" 60 grep '^ok   good ' "$work/said"
	kill "$pid"
	wait "$pid" || status=$?
	cat "$work/said"
	expect_equal "status" 143 "$status"
	expect_equal "named" hangs \
		"$(sed -n 's/^check: ended after [0-9]* s of //p' "$work/said")"
}

# The real debug/uml, with a User-Mode Linux that says how long it may take: a suite's own
# time, or less than is likely to be all there is
limited()
{
	mkdir "$work/limits"
	cp -r "$work/selftests" "$work/limits/"
	cp "$here/../debug/uml" "$work/limits/selftests/debug/"
	echo '%: ; @:' >"$work/limits/Makefile"
	cat - >"$work/limits/selftests/uml/run" <<'END'
#!/bin/bash
echo "KTAP version 1"
while [ "$1" != -- ]; do
	case $1 in
	--timeout)	echo "ok 1 for $2 s" ;;
	--dmesg)	echo "loading out-of-tree module" >"$2" ;;
	esac
	shift
done
echo "1..1"
END
	for tool in uml/module vm/splats; do
		echo '#!/bin/sh' >"$work/limits/selftests/$tool"
	done
	chmod +x "$work"/limits/selftests/{uml/{run,module},vm/splats}
	cat - >"$work/limits/selftests/guest/brief.sh" <<<"#!/bin/bash
# uml: 7.2-full
# uml: 7.2-other --timeout 1200"
	"$work/limits/selftests/check" brief
	cd "$work/limits/build/check"
	grep '^ok 1 for 900 s$' brief-7.2-full.ktap
	grep '^ok 1 for 1200 s$' brief-7.2-other.ktap
}

# What the suites ask of a guest, as it is asked of one with checkers. User-Mode Linux is not
# started, but asked for help as well, which it gives if it has understood what comes before.
options_known()
{
	local real=$here/../debug/uml file

	mkdir "$work/heads"
	cp -r "$work/selftests" "$work/heads/"
	rm "$work"/heads/selftests/{style,guest,long}/*.sh
	echo '%: ; @:' >"$work/heads/Makefile"
	cat - >"$work/heads/selftests/debug/uml" <<<"#!/bin/bash
options=()
while [[ \$1 != *-debug ]]; do
	options+=(\"\$1\")
	shift
done
'$real' \"\${options[@]}\" --help >/dev/null && exec \"\$2\""
	for file in "$here"/../guest/*.sh; do
		{
			echo '#!/bin/bash'
			sed '/^#/!q' "$file" | grep -E '^# (vm|uml|debug):' || :
			echo "$passes"
		} >"$work/heads/selftests/guest/${file##*/}"
	done
	chmod +x "$work"/heads/selftests/guest/*.sh
	"$work/heads/selftests/check" --debug >"$work/said" 2>&1 || {
		cat "$work/said"
		return 1
	}
	grep '^ok   fuzz-7.2-debug ' "$work/said"
}

ktap_begin
ktap_test "suites that pass" counted "2 passed, 0 failed" good long
ktap_test "one that fails, and one that ends early" failed
ktap_test "one in two guests" in_guests
ktap_test "one with arguments of its own" with_arguments
ktap_test "one that has such words after its head" not_in_a_guest
ktap_test "two that are killed" killed
ktap_test "two that are to have nothing beside them" in_peace
ktap_test "one that says when, but nobody knows such a time" unknown_word
ktap_test "some that fail, once more" once_more
ktap_test "too many that fail, not once more" no_more
ktap_test "a check that is ended" ended
ktap_test "how long a guest may take" limited
ktap_test "one that has passed, with checkers" passed_before --debug checked checked-7.2-debug
ktap_test "one that has passed, of the long ones" passed_before --long thorough thorough
ktap_test "all with checkers, all of the long ones" of_a_kind
ktap_test "one that another is part of" passed_around
ktap_test "one that has skipped all" skipped_before
ktap_test "one that skips a test from within" cannot_tell
ktap_test "what suites ask of a guest with checkers" options_known
ktap_end
