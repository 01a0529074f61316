#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# Ten thousand SAs, each of which has sent something: every command that shows SAs has them
# all and finds one of them, stats has all packets, and what each takes is printed, at a tenth
# of them as well.
#
# uml: 7.2-full --timeout 600

set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck disable=SC2034 # of gateways.bash
bin=$here/../../build/selftests
ctl=$here/../../build/helperd/wavecryptctl
# shellcheck source=../lib/ktap.sh
. "$here/../lib/ktap.sh"
# shellcheck source=../lib/wavecrypt.sh
. "$here/../lib/wavecrypt.sh"
# shellcheck source=../lib/wait.sh
. "$here/../lib/wait.sh"
# shellcheck source=gateways.bash
. "$here/gateways.bash"

work=$(mktemp -d)

# as WHAT: SAs by number are read, and for each is printed what awk says, which knows its
# spi as wavecryptctl writes it, and its peer, who is nobody
as()
{
	awk '{
		peer = "198.18." int($1 / 250) "." $1 % 250 + 1
		spi = sprintf("0x%08x", 1048576 + $1)
		print '"$1"'
	}'
}

# spi I, peer I
spi()
{
	echo "$1" | as spi
}

peer()
{
	echo "$1" | as peer
}

# sas_come FIRST LAST: those, with a policy for each, and a packet through each
sas_come()
{
	local key
	key=0x$(od -An -v -tx1 -N 20 /dev/urandom | tr -d ' \n')
	# shellcheck disable=SC2016 # awk's
	seq "$1" "$2" | as '"xfrm state add src 192.0.2.1 dst " peer " proto esp spi " spi \
		" reqid " $1 " mode transport aead rfc4106(gcm(aes)) '"$key"' 128"' >"$work/sas"
	# shellcheck disable=SC2016
	seq "$1" "$2" | as '"xfrm policy add src 192.0.2.1 dst " peer " dir out tmpl proto esp reqid " \
		$1 " mode transport"' >"$work/policies"
	ip -n left -batch "$work/sas"
	ip -n left -batch "$work/policies"
	seq "$1" "$2" | as peer | send
}

# send: a packet to each peer that is read
send()
{
	# shellcheck disable=SC2016 # for the shell over there
	at left bash -c 'while read -r peer; do echo >"/dev/udp/$peer/9"; done'
}

# taken NAME COMMAND...: how long it takes; what it says is in $work/NAME
taken()
{
	local name=$1 since=$EPOCHREALTIME us
	at left "${@:2}" >"$work/$name" || return
	us=$((${EPOCHREALTIME/./} - ${since/./}))
	printf ', %s %d.%03d s' "$name" $((us / 1000000)) $((us % 1000000 / 1000))
}

# has NAME PATTERN NR: what it said has so many such lines
has()
{
	expect_equal "SAs by $1" "$3" "$(grep -cE "$2" "$work/$1")"
}

# encrypted: by what stats says
encrypted()
{
	awk -v dir="$gcm.encrypt" '
		/^[^ ]/ { here = $1 == dir }
		here && $1 ~ /^requests_(inline|offloaded)$/ { n += $2 }
		END { print n + 0 }'
}

# all_there NR: every one of so many, in whatever shows SAs
all_there()
{
	local figure="figure: $1 SAs"
	figure+=$(taken proc cat /proc/wavecrypt)
	figure+=$(taken sas "$ctl" sas)
	figure+=$(taken sas-json "$ctl" --json sas)
	figure+=$(taken status "$ctl" status -i 0.05)
	figure+=$(taken top "$ctl" top -i 0.05)
	figure+=$(taken metrics "$ctl" metrics --sas)
	figure+=$(taken stats "$ctl" stats)
	echo "$figure"
	has proc '^rfc4106.* 0x' "$1"
	has sas '^0x.*-wavecrypt,' "$1"
	has sas-json '"evidence": "counted"' "$1"
	has status '^SA 0x' "$1"
	has top "^SA .*\(200 of $1\)" 1
	has metrics '^wavecrypt_sas\{' "$1"
	expect_equal "packets by stats" "$1" "$(($(encrypted <"$work/stats") - before))"
}

# found I WORD...: of all SAs, by that
found()
{
	at left "$ctl" sas "${@:2}" >"$work/found"
	cat "$work/found"
	expect_equal "found" "$(spi "$1")" "$(sed -n 's/^\(0x[^ ]*\).*/\1/p' "$work/found")"
	at left "$ctl" status -i 0.05 "${@:2}" >"$work/found"
	expect_equal "found" "$(spi "$1")" "$(sed -n 's/^SA \([^ ]*\).*/\1/p' "$work/found")"
}

one_found()
{
	found 7777 "$(spi 7777)"
	found 7777 "$(peer 7777)"
	found 7777 reqid=7777
	found 10000 "peer=$(peer 10000)" gcm
}

# shows_busiest: in a second, in which they have to have sent as often as they do
shows_busiest()
{
	local sender
	while send <"$work/peers"; do
		:
	done &
	sender=$!
	at left "$ctl" top -i 1 >"$work/top"
	kill "$sender"
	wait "$sender" || :
	cat "$work/top"
	expect_equal "the busiest" "$(uniq "$work/busy" | as spi)" \
		"$(awk '/^0x/ && n++ < 3 { print $1 }' "$work/top")"
}

# Which are the last ones and one in between
busiest()
{
	printf '%s\n' 10000 10000 10000 4711 4711 9999 >"$work/busy"
	as peer <"$work/busy" >"$work/peers"
	in_tries 5 shows_busiest
}

gateways_up
ip -n left route add 198.18.0.0/15 via 192.0.2.2
# Of the self-test
before=$("$ctl" stats | encrypted)

ktap_begin
ktap_test "1000 SAs come" sas_come 1 1000
ktap_test "all of them are there" all_there 1000
ktap_test "10000 SAs" sas_come 1001 10000
ktap_test "all of them are there" all_there 10000
ktap_test "one of them is found" one_found
ktap_test "top has the busiest first" busiest
ktap_end
