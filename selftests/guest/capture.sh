#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# What wavecrypt puts on the wire, decrypted with the SA's keys by somebody
# else (Wireshark), is what was sent; and without the keys it is nowhere to be
# seen.
#
# vm: --kernel 6.1

set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=../lib/ktap.sh
. "$here/../lib/ktap.sh"
# shellcheck source=../lib/wavecrypt.sh
. "$here/../lib/wavecrypt.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

key() { head -c "$1" /dev/urandom | od -An -v -tx1 | tr -d ' \n'; }

network()
{
	ip netns add a
	ip netns add b
	ip link add eth netns a type veth peer name eth netns b
	ip -n a address add 192.0.2.1/24 dev eth
	ip -n b address add 192.0.2.2/24 dev eth
	ip -n a link set eth up
	ip -n b link set eth up
	ip netns exec a ping -q -c 1 192.0.2.2
}

# protect MODE ALGORITHM...: everything from a to b
protect()
{
	local ns mode=$1

	shift
	for ns in a b; do
		ip -n "$ns" xfrm state flush
		ip -n "$ns" xfrm policy flush
		ip -n "$ns" xfrm state add src 192.0.2.1 dst 192.0.2.2 proto esp \
			spi 0x77 mode "$mode" "$@" 2>/dev/null ||
			# 6.1 looks hmac(sha1) up only when it is asked for
			ip -n "$ns" xfrm state add src 192.0.2.1 dst 192.0.2.2 \
				proto esp spi 0x77 mode "$mode" "$@"
	done
	ip -n a xfrm policy add src 192.0.2.1 dst 192.0.2.2 dir out \
		tmpl src 192.0.2.1 dst 192.0.2.2 proto esp mode "$mode"
	ip -n b xfrm policy add src 192.0.2.1 dst 192.0.2.2 dir in \
		tmpl src 192.0.2.1 dst 192.0.2.2 proto esp mode "$mode"
}

# The payloads to be sent, in hexadecimal, one a line: every length modulo 16,
# and a full packet.
payloads()
{
	local len

	for len in 1 2 3 7 8 15 {16..48} 100 500 1000 1300; do
		printf 'wavecrypt%s\n' "$len" | sha256sum | xxd -r -p |
			head -c 8 | cat - <(head -c "$len" /dev/urandom) |
			od -An -v -tx1 | tr -d ' \n'
		echo
	done
}

# decrypted DIRECTORY-COUNTER ENCRYPTION KEY AUTHENTICATION KEY
decrypted()
{
	local before line tcpdump tries

	payloads >"$work/sent"
	before=$(counter "$1.encrypt" requests_offloaded)
	rm -f "$work/tcpdump" "$work/wire.pcap"
	ip netns exec b tcpdump --immediate-mode -U -i eth -w "$work/wire.pcap" esp 2>"$work/tcpdump" &
	tcpdump=$!
	until grep -q listening "$work/tcpdump" 2>/dev/null; do kill -0 "$tcpdump"; done
	while read -r line; do
		xxd -r -p <<<"$line" | ip netns exec a socat -u - UDP-SENDTO:192.0.2.2:4999
	done <"$work/sent"
	for ((tries = 0; tries < 100; tries++)); do
		[ "$(tcpdump -nr "$work/wire.pcap" 2>/dev/null | wc -l)" -lt \
			"$(wc -l <"$work/sent")" ] || break
		sleep 0.2
	done
	kill "$tcpdump"
	wait "$tcpdump" || :

	HOME=$work tshark -nr "$work/wire.pcap" -o esp.enable_encryption_decode:TRUE \
		-o esp.enable_authentication_check:TRUE \
		-o "uat:esp_sa:\"IPv4\",\"*\",\"*\",\"*\",\"$2\",\"$3\",\"$4\",\"$5\"" \
		-Y 'udp.dstport == 4999' -T fields -e udp.payload >"$work/received" 2>"$work/said"
	cat "$work/said"
	expect_equal packets "$(wc -l <"$work/sent")" "$(wc -l <"$work/received")"
	diff "$work/sent" "$work/received"
	expect_equal "packets encrypted by the helper" "$(wc -l <"$work/sent")" \
		$(($(counter "$1.encrypt" requests_offloaded) - before))

	# Without keys: not the first eight bytes of any payload
	tcpdump -nXr "$work/wire.pcap" 2>/dev/null >"$work/dump"
	[ -s "$work/dump" ]
	xxd -p "$work/wire.pcap" | tr -d '\n' >"$work/hex"
	while read -r line; do
		if grep -q "${line:0:16}" "$work/hex"; then
			echo "$line is on the wire"
			return 1
		fi
	done <"$work/sent"
}

cbc()
{
	local aes hmac

	aes=0x$(key "$2") hmac=0x$(key 20)
	protect "$1" enc 'cbc(aes)' "$aes" auth-trunc 'hmac(sha1)' "$hmac" 96
	decrypted "$cbc_sha1" 'AES-CBC [RFC3602]' "$aes" 'HMAC-SHA-1-96 [RFC2404]' "$hmac"
}

set_mode offload
network
ktap_begin
ktap_test "AES-128-CBC with HMAC-SHA-1, tunnel" cbc tunnel 16
ktap_end
