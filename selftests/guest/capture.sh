#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# What wavecrypt puts on the wire, decrypted with the SAs' keys by somebody
# else (Wireshark), is what was sent, and its ICVs are good; and without the
# keys nothing of it is to be seen. Captured is what the left gateway sends:
# what it receives, a capture would show once more, decrypted. And wavecryptctl
# selftest, for which somebody else is OpenSSL, says so of every proposal, and says
# when it is not so.
#
# uml: 7.2-full
# debug: uml

set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
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
trap 'rm -rf "$work"' EXIT

tunnel_add 1 tunnel 4 authenc 128 plain
tunnel_add 2 tunnel 6 authenc 256 plain
tunnel_add 3 transport 4 authenc 256 plain
tunnel_add 4 tunnel 4 authenc 128 udp
tunnel_add 5 tunnel 4 rfc4106 128 plain
tunnel_add 6 tunnel 6 rfc4106 256 plain
tunnel_add 7 transport 6 rfc4106 128 plain
tunnel_add 8 tunnel 4 rfc4106 256 udp

# Sent in the clear, to see that what is searched for would be found
in_the_clear=$(od -An -v -tx1 -N 24 /dev/urandom | tr -d ' \n')

offloaded()
{
	echo $(($(counter "$cbc_sha1.encrypt" requests_offloaded) +
		$(counter "$gcm.encrypt" requests_offloaded)))
}

in_clear()
{
	# shellcheck disable=SC2001 # of each, not the first
	printf %b "$(sed 's/../\\x&/g' <<<"$in_the_clear")" |
		ip netns exec left socat -u - UDP-SENDTO:192.0.2.2:4999
}

# captured_in_clear: sent once more, it is seen
captured_in_clear()
{
	in_clear && od -An -v -tx1 "$work/wire.pcap" | tr -d ' \n' >"$work/hex" &&
		grep -q "$in_the_clear" "$work/hex"
}

# Payloads of every length modulo AES's block, and up to a full packet, both ways
# through every tunnel: all by the helper, and all captured
capture()
{
	local n tcpdump before

	ip netns exec left tcpdump --immediate-mode -U -Q out -s 2000 -B 65536 \
		-i wire -w "$work/wire.pcap" \
		2>"$work/tcpdump" &
	tcpdump=$!
	wait_while "$tcpdump" 60 grep -q listening "$work/tcpdump"

	before=$(offloaded)
	for n in "${!tunnel_mode[@]}"; do
		"$bin/numbered" --sizes 16,17,18,19,20,21,22,23,24,25,26,27,28,29,31,64-1350 \
			--count 48 --log "$work/sent.$n" \
			left "$(inner "$n" left)" right "$(inner "$n" right)"
	done
	expect_equal "packets encrypted by the helper" $((8 * 2 * 48)) \
		$(($(offloaded) - before))

	# That one is the last.
	wait_while "$tcpdump" 60 captured_in_clear
	kill "$tcpdump"
	wait "$tcpdump" || :
}

# sa N: left's SA to the right, as Wireshark wants it told
sa()
{
	local encryption authentication='HMAC-SHA-1-96 [RFC2404]' auth_key
	auth_key=0x$(auth_key "$1" left)
	encryption='AES-CBC [RFC3602]'
	[ "${tunnel_alg[$1]}" = authenc ] || {
		encryption='AES-GCM with 16 octet ICV [RFC4106]'
		authentication=NULL auth_key=
	}
	printf 'uat:esp_sa:"IPv%s","*","*","%s","%s","0x%s","%s","%s"\n' \
		"${tunnel_family[$1]}" "$(spi "$1" left)" "$encryption" \
		"$(enc_key "$1" left)" "$authentication" "$auth_key"
}

# What Wireshark makes of the capture: SPI, whether the ICV is good, payload
decrypt()
{
	local n options=()

	for n in "${!tunnel_mode[@]}"; do
		options+=(-o "$(sa "$n")")
	done
	HOME=$work tshark -nr "$work/wire.pcap" -d udp.port==5000,data \
		-o esp.enable_encryption_decode:TRUE \
		-o esp.enable_authentication_check:TRUE "${options[@]}" \
		-Y esp -T fields -e esp.spi -e esp.icv_good -e udp.payload \
		>"$work/decrypted" 2>"$work/said"
	cat "$work/said"
	expect_equal "ESP packets" $((8 * 48)) "$(wc -l <"$work/decrypted")"
}

# same N: what a tunnel was given is what it had on the wire
same()
{
	# The last payload is the inner packet's, where UDP is around ESP.
	awk -F '\t' -v spi="$(printf '0x%08x' "$(spi "$1" left)")" '
		$1 == spi && $2 ~ /^(1|True)$/ { sub(/.*,/, "", $3); print $3 }
	' "$work/decrypted" >"$work/received"
	[ -s "$work/received" ] || head -n 3 "$work/decrypted"
	head -n 48 "$work/sent.$1" | diff - "$work/received"
}

# Twelve bytes of the middle of any payload
unreadable()
{
	cut -c 9-32 "$work"/sent.* | sort -u >"$work/patterns"
	echo "$in_the_clear" >"$work/control"
	grep -qFf "$work/control" "$work/hex"
	! grep -oFf "$work/patterns" "$work/hex"
}

# selftest_passes MODE WAY: all that the module offers, and what has an ICV did all of
# it that way
selftest_passes()
{
	set_mode "$1"
	"$ctl" --json selftest --count 6 >/run/selftest.json || { cat /run/selftest.json; return 1; }
	python3 -IS -c '
import json, sys
answer = json.load(sys.stdin)
print(answer["summary"])
results = answer["results"]
offered = set(sys.argv[2].split())
assert answer["passed"] and {r["algorithm"] for r in results} == offered, offered
assert all(r["packets"] == 12 and r["good"] for r in results)
other = {"inline": "offloaded", "offloaded": "inline"}[sys.argv[1]]
assert all(r[sys.argv[1]] >= 12 and not r[other] for r in results if "digest_null" not in r["algorithm"])
' "$2" "$(awk '$1 == "name" { name = $3 } $1 == "module" && $3 == "wavecrypt" { print name }' \
		/proc/crypto)" </run/selftest.json
}

# in_selftest PROCESS COMMAND...: in its namespace. By its path: busybox's nsenter would
# have its own ip.
in_selftest()
{
	nsenter --net="/proc/$1/ns/net" "$(type -P "$2")" "${@:3}"
}

# selftest_spi: sets "spi", once there is one
selftest_spi()
{
	spi=$(in_selftest "$selftest" ip xfrm state | grep -A 1 '^src 192.0.2.1' | grep -o '0x[0-9a-f]*')
}

# selftest_starts: one that takes long; "selftest" is its process, "spi" of what it
# has the kernel encrypt
selftest_starts()
{
	"$ctl" selftest --count 1000000 aes128-sha1 >/run/selftest.txt 2>&1 &
	selftest=$!
	wait_while "$selftest" 60 selftest_spi
}

# One side's key is another all of a sudden.
selftest_fails()
{
	local selftest spi status=0
	selftest_starts
	in_selftest "$selftest" ip -batch - <<-END
		xfrm state delete src 192.0.2.1 dst 192.0.2.2 proto esp spi $spi
		xfrm state add src 192.0.2.1 dst 192.0.2.2 proto esp spi $spi reqid 1 mode transport auth-trunc hmac(sha1) 0x$(printf '%040x' 1) 96 enc cbc(aes) 0x$(printf '%032x' 1)
	END
	wait "$selftest" || status=$?
	cat /run/selftest.txt
	expect_equal "exit status" 1 "$status"
	grep -q '^Failed: 1 of 1 proposals' /run/selftest.txt
	grep -qE '^aes128-sha1 .* [1-9][0-9]* (wrong|missing)' /run/selftest.txt
}

# no_more_than LINES: of SAs
no_more_than()
{
	received_everywhere
	[ "$(wc -l </proc/wavecrypt)" -le "$1" ]
}

# Killed, it leaves nothing behind.
selftest_killed()
{
	local selftest spi before
	before=$(wc -l </proc/wavecrypt)
	selftest_starts
	kill -KILL "$selftest"
	wait "$selftest" || :
	wait_until 60 no_more_than "$before"
	! ip link show wavecrypt 2>/dev/null || return 1
}

selftest_is_roots()
{
	local out
	out=$(setpriv --reuid 65534 --clear-groups "$ctl" selftest) && return 1
	expect_equal "what is said" "Not tested: only root may do that." "$out"
}

ktap_begin
modprobe -q tun || :
gateways_up
sas_add left
sas_add right
set_mode offload
echo 20000 >/sys/module/wavecrypt/parameters/stall_ms
ktap_test "packets through eight tunnels, all by the helper" capture
ktap_test "Wireshark knows every packet" decrypt
for n in "${!tunnel_mode[@]}"; do
	ktap_test "sent as given: $(tunnel_name "$n")" same "$n"
done
ktap_test "nothing to be read without keys" unreadable
ktap_test "selftest, offloaded" selftest_passes offload offloaded
ktap_test "selftest, inline" selftest_passes inline inline
ktap_test "selftest with a wrong key on one side" selftest_fails
ktap_test "selftest is killed" selftest_killed
ktap_test "selftest is for root" selftest_is_roots
ktap_end
