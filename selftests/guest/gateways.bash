# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# Two gateways, network namespaces "left" and "right", with a wire between them
# (a veth pair, "wire" at both ends), and IPsec tunnels side by side on it, for
# the suites that need traffic. Source it after wavecrypt.sh; $bin is where the
# test programs are.
#
# A tunnel is one pair of SAs. It has a number N, which makes its addresses:
#
#	10.0.N.1 or fd00:N::1 to the left, 10.0.N.2 or fd00:N::2 to the right
#
# and is described by tunnel_mode[N] (tunnel, transport, beet), tunnel_family[N]
# (4, 6), tunnel_alg[N] (authenc, rfc4106, or a label of the module's parameter
# algs, or gcm-esn, chacha20-poly1305-esn), tunnel_bits[N] (128, 256),
# tunnel_encap[N] (plain, udp, tcp) and tunnel_icv[N] (bits, or empty for those that
# everybody has). The tunnel's ends are 192.0.2.1 and .2, or 2001:db8::1 and ::2.
# shellcheck disable=SC2034,SC2154 # used by the suites, set by them

declare -a tunnel_mode tunnel_family tunnel_alg tunnel_bits tunnel_encap
declare -a tunnel_icv tunnel_secret

declare -A host=([left]=1 [right]=2) other=([left]=right [right]=left)

# tunnel_add N MODE FAMILY ALG BITS ENCAP [ICV]
tunnel_add()
{
	tunnel_mode[$1]=$2 tunnel_family[$1]=$3 tunnel_alg[$1]=$4
	tunnel_bits[$1]=$5 tunnel_encap[$1]=$6 tunnel_icv[$1]=${7-}
	# Enough for both directions, whatever the algorithm
	tunnel_secret[$1]=$(od -An -v -tx1 -N 256 /dev/urandom | tr -d ' \n')
	sas_batch=''
}

tunnel_name()
{
	local encap=''
	[ "${tunnel_encap[$1]}" = plain ] || encap=" in ${tunnel_encap[$1]^^}"
	echo "${tunnel_mode[$1]} IPv${tunnel_family[$1]} ${tunnel_alg[$1]}" \
		"AES-${tunnel_bits[$1]}${tunnel_icv[$1]:+, ICV of ${tunnel_icv[$1]} bits}$encap"
}

# inner N SIDE: the address of a tunnel's traffic
inner()
{
	if [ "${tunnel_family[$1]}" = 4 ]; then
		echo "10.0.$1.${host[$2]}"
	else
		echo "fd00:$1::${host[$2]}"
	fi
}

# outer N SIDE: the address of its SA
outer()
{
	if [ "${tunnel_mode[$1]}" = transport ]; then
		inner "$1" "$2"
	elif [ "${tunnel_family[$1]}" = 4 ]; then
		echo "192.0.2.${host[$2]}"
	else
		echo "2001:db8::${host[$2]}"
	fi
}

# spi N FROM: of the SA that comes from that side
spi()
{
	printf '0x%x\n' $((0x1000 + 2 * $1 + ${host[$2]}))
}

# Keys of the SA from that side, in hexadecimal: auth_key is HMAC's, enc_key is
# the cipher's, with the nonce's part behind it where there is one.
secret()
{
	echo "${tunnel_secret[$1]:$(((${host[$2]} - 1) * 256 + $3)):$4}"
}

# As RFC 4868 has them: digits of a key, bits of an ICV
declare -A hmac_digits=([sha1]=40 [sha256]=64 [sha384]=96 [sha512]=128)
declare -A hmac_bits=([sha1]=96 [sha256]=128 [sha384]=192 [sha512]=256)

# hash N: a tunnel's, if its ICV is an HMAC
hash()
{
	local label=${tunnel_alg[$1]%-esn}
	[ "$label" != authenc ] || label=cbc-sha1
	echo "${label#*-}"
}

auth_key()
{
	secret "$1" "$2" 0 "${hmac_digits[$(hash "$1")]}"
}

enc_key()
{
	local digits=$((tunnel_bits[$1] / 4))
	case ${tunnel_alg[$1]} in
	rfc4106|gcm*|ctr-*|chacha20*)	digits=$((digits + 8)) ;;
	esac
	secret "$1" "$2" 128 $digits
}

# The part of "ip xfrm state add" that says which
algorithm()
{
	local cipher
	case ${tunnel_alg[$1]} in
	rfc4106|gcm*)	echo "aead rfc4106(gcm(aes)) 0x$(enc_key "$@") ${tunnel_icv[$1]:-128}"; return ;;
	chacha20*)	echo "aead rfc7539esp(chacha20,poly1305) 0x$(enc_key "$@") 128"; return ;;
	ctr-*)		cipher="rfc3686(ctr(aes)) 0x$(enc_key "$@")" ;;
	null-*)		cipher='ecb(cipher_null) ""' ;;
	*)		cipher="cbc(aes) 0x$(enc_key "$@")" ;;
	esac
	echo "auth-trunc hmac($(hash "$1")) 0x$(auth_key "$@")" \
		"${tunnel_icv[$1]:-${hmac_bits[$(hash "$1")]}} enc $cipher"
}

# Extended sequence numbers are about to leave 32 bits, for the fourth time.
esn()
{
	[[ ${tunnel_alg[$1]} != *-esn ]] ||
		echo "flag esn replay-seq 0xffffffe0 replay-seq-hi 3" \
			"replay-oseq 0xffffffe0 replay-oseq-hi 3"
}

# Commands for ip -batch: one SA, seen from either end
sa_add()
{
	local n=$1 from=$2 to=${other[$2]} encap='' selector=''
	case ${tunnel_encap[$n]} in
	udp)	encap="encap espinudp 4500 4500 ::" ;;
	tcp)	encap="encap espintcp 4500 4500 ::" ;;
	esac
	[ "${tunnel_family[$n]}" = 6 ] || encap=${encap/::/0.0.0.0}
	# It is its SA that knows the addresses inside.
	[ "${tunnel_mode[$n]}" != beet ] ||
		selector="sel src $(inner "$n" "$from") dst $(inner "$n" "$to")"
	echo "xfrm state add src $(outer "$n" "$from") dst $(outer "$n" "$to")" \
		"proto esp spi $(spi "$n" "$from") reqid $n mode ${tunnel_mode[$n]}" \
		"replay-window 32 $(esn "$n") $(algorithm "$n" "$from") $encap $selector"
}

# policy_add N SIDE: what that side sends and receives has to be encrypted
policy_add()
{
	local n=$1 side=$2 peer=${other[$2]}
	echo "xfrm policy add src $(inner "$n" "$side") dst $(inner "$n" "$peer") dir out" \
		"tmpl src $(outer "$n" "$side") dst $(outer "$n" "$peer") proto esp" \
		"reqid $n mode ${tunnel_mode[$n]}"
	echo "xfrm policy add src $(inner "$n" "$peer") dst $(inner "$n" "$side") dir in" \
		"tmpl src $(outer "$n" "$peer") dst $(outer "$n" "$side") proto esp" \
		"reqid $n mode ${tunnel_mode[$n]}"
}

# sas_commands N...: the same for both SAs of these tunnels
sas_commands()
{
	local n
	for n in "$@"; do
		sa_add "$n" left
		sa_add "$n" right
	done
}

# sas_add SIDE [N...]: that side's SAs of all tunnels, or of those. To write down what all
# are takes long in an emulated guest, and is done once in a shell.
sas_batch=''
sas_add()
{
	local side=$1
	shift
	if [ $# -gt 0 ]; then
		sas_commands "$@" | ip -n "$side" -batch -
		return
	fi
	: "${sas_batch:=$(sas_commands "${!tunnel_mode[@]}")}"
	ip -n "$side" -batch - <<<"$sas_batch"
}

# gateways_up: the wire, every tunnel's addresses and policies; no SAs yet
gateways_up()
{
	local side peer n
	for side in left right; do
		ip netns add $side
		ip -n $side link set lo up
	done
	ip -n left link add wire mtu 9000 address 02:00:00:00:00:01 type veth \
		peer wire netns right mtu 9000 address 02:00:00:00:00:02
	for side in left right; do
		peer=${other[$side]}
		{
			echo "link set wire up"
			echo "address add 192.0.2.${host[$side]}/24 dev wire"
			echo "address add 2001:db8::${host[$side]}/64 dev wire nodad"
			# Nothing but test traffic, not even to find each other
			echo "neighbour add 192.0.2.${host[$peer]} dev wire" \
				"lladdr 02:00:00:00:00:0${host[$peer]} nud permanent"
			echo "neighbour add 2001:db8::${host[$peer]} dev wire" \
				"lladdr 02:00:00:00:00:0${host[$peer]} nud permanent"
			echo "route add 10.0.0.0/16 via 192.0.2.${host[$peer]}"
			echo "route add fd00::/16 via 2001:db8::${host[$peer]}"
			for n in "${!tunnel_mode[@]}"; do
				echo "address add $(inner "$n" $side) dev lo $(
					[ "${tunnel_family[$n]}" = 4 ] || echo nodad)"
				policy_add "$n" $side
			done
		} | ip -n $side -batch -
		# What an IKE daemon would do for NAT traversal
		"$bin/espinudp" $side </dev/null >/dev/null &
		echo $! >"/run/espinudp.$side"
		: >"/run/xfrm_stat.$side"
	done
}

# What is still running on one would keep its namespace, and what it has not read the SAs
# that it came by: ping, that of IPv4 as well, has a socket for all of ICMPv6.
gateways_down()
{
	local side pids
	for side in left right; do
		kill "$(cat "/run/espinudp.$side")"
		mapfile -t pids < <(ip netns pids $side)
		[ ${#pids[@]} -eq 0 ] || kill "${pids[@]}" 2>/dev/null || :
		ip -n $side xfrm state flush
		ip -n $side xfrm policy flush
		ip netns del $side
	done
}

# at SIDE COMMAND...: on that gateway. By its path: busybox's nsenter would have
# its own ping.
at()
{
	nsenter --net="/run/netns/$1" "$(type -P "$2")" "${@:3}"
}

# become SIDE COMMAND...: the same, in place of this shell. "become left ping ... &" is ping
# itself, so that killing it ends it; of "at" that would end a shell, and leave ping.
become()
{
	exec nsenter --net="/run/netns/$1" "$(type -P "$2")" "${@:3}"
}

# mtu BYTES: of the wire
mtu()
{
	ip -n left link set wire mtu "$1"
	ip -n right link set wire mtu "$1"
}

# received_everywhere: something, on every CPU. 7.2 puts a packet that is read on another
# CPU than it was made on aside for that one, which frees it when it receives again; and
# the packet has its SA until then.
received_everywhere()
{
	local cpu
	ip link set lo up
	for ((cpu = 0; cpu < $(nproc --all); cpu++)); do
		taskset -c "$cpu" ping -q -c 1 127.0.0.1 >/dev/null || :
	done
}

# module_unload, module_load: with the helper, as the guest was started with it,
# or with other settings besides
helper_environment=() helper_settings=()
module_unload()
{
	"$here/../vm/helper" stop
	# SAs are freed some time after they were deleted: with the last route
	# that was cached with them, which can take a minute.
	until rmmod wavecrypt 2>/dev/null; do
		[ "$SECONDS" -lt "${deadline:=$((SECONDS + 120))}" ] || {
			echo "wavecrypt is in use: $(cat /sys/module/wavecrypt/refcnt)"
			cat /proc/wavecrypt
			return 1
		}
		received_everywhere
		sleep 0.1
	done
	unset deadline
}

module_load()
{
	# shellcheck disable=SC1091
	(. "${WAVECRYPT_VM_RUN:?}/what" && insmod "$module")
	env "${helper_environment[@]}" "$here/../vm/helper" start "${helper_settings[@]}"
	# It goes on without a device that takes long to be ready.
	until [[ " ${helper_settings[*]} " != *" backend="* ]] || has_devices; do
		sleep 0.1
	done
}

has_devices()
{
	local said
	said=$("$here/../../build/helperd/wavecryptctl" --json status) || :
	[[ $said == *'"there": '* && $said != *'"there": false'* ]]
}

# arrange SIDE: that gateway's SAs are wavecrypt's, the other's the kernel's own.
# An SA keeps the implementation that was the best when it was made.
arrange()
{
	module_unload
	gateways_up
	sas_add "${other[$1]}"
	module_load
	sas_add "$1"
}

# sa_packets N SIDE [FROM...]: that have passed its SAs as that side sees them, what
# it sends and what it receives, or those from these sides
sa_packets()
{
	local n=$1 side=$2 from counts
	shift 2
	[ $# -gt 0 ] || set -- "$side" "${other[$side]}"
	mapfile -t counts < <(for from in "$@"; do
		echo "xfrm state get src $(outer "$n" "$from") dst" \
			"$(outer "$n" "${other[$from]}") proto esp spi $(spi "$n" "$from")"
	done | ip -n "$side" -s -batch - |
		sed -n '/lifetime current:/{n;s/.*, \([0-9]*\)(packets).*/\1/p}')
	echo "${counts[@]}"
}

# all_arrived N: what either side has sent through its SAs, which count that before they
# encrypt it, the other has received, and decrypted
all_arrived()
{
	local sent
	sent=$(sa_packets "$1" left left right)
	[ -n "$sent" ] && [ "$sent" = "$(sa_packets "$1" right left right)" ]
}

# No SA has had anything to complain of, on either side, since this was asked last. If one
# has: did an SA's packets move to another CPU, and not wait for those before?
no_xfrm_errors()
{
	local side pid bad=0
	for side in left right; do
		read -r pid <"/run/espinudp.$side"
		sed -n "/\t0\$/!s/^/$side: /p" "/proc/$pid/net/xfrm_stat" >/run/xfrm_stat.new ||
			bad=1
		diff "/run/xfrm_stat.$side" /run/xfrm_stat.new || bad=1
		mv /run/xfrm_stat.new "/run/xfrm_stat.$side"
	done
	[ $bad -eq 0 ] || grep . "$sysfs"/queue*/{followed,overtook,stalls} || :
	return $bad
}
