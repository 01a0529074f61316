# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# The lab's parts, for strongswan/lab and for the tests: network namespaces
# lab-NAME with a charon of its own where there is IPsec.
#
#	host-a --- left ---.                .--- right --- host-b
#	      \--- left2 --+----- wan ------+
#	                   '--- nat --- client (its second way: directly)
#
# left's networks are 10.1.{0,1}.0/24 and fd00:1::/64, right's 10.2.{0,1}.0/24
# and fd00:2::/64; wan is 192.0.2.0/24 and 2001:db8::/64, behind the NAT is
# 10.9.0.0/24.
# shellcheck disable=SC2034 # used by those who source it

lab_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=../selftests/lib/wait.sh
. "$lab_dir/../selftests/lib/wait.sh"
lab_run=/run/wavecrypt-lab
lab_nodes=(wan host-a left left2 right host-b nat client)

# Last part of an address on the wan
declare -A lab_wan=([left]=1 [right]=2 [nat]=3 [client]=4 [left2]=5)

lab_modules=(xfrm_user esp4 esp6 xfrm_interface xfrm4_tunnel xfrm6_tunnel)

# in_node NODE COMMAND... By its path: busybox's nsenter would have its own ping.
in_node()
{
	local program
	program=$(type -P "$2") || { echo "no command $2" >&2; return 127; }
	nsenter --net="/run/netns/lab-$1" "$program" "${@:3}"
}

# on NODE: commands for ip, from standard input
on()
{
	ip -n "lab-$1" -batch -
}

# cable NODE IF NODE IF: the command for a link between two of them
cable()
{
	echo "link add $2 netns lab-$1 type veth peer name $4 netns lab-$3"
}

# foot IF ADDRESS...: commands for an interface that is there
foot()
{
	local address
	echo "link set $1 up"
	for address in "${@:2}"; do
		echo "address add $address dev $1 $([[ $address != *:* ]] || echo nodad)"
	done
}

# Everything but what IPsec itself makes
network_up()
{
	local node n

	for n in "${lab_modules[@]}"; do
		modprobe -q "$n" || true
	done
	{
		printf 'netns add lab-%s\n' "${lab_nodes[@]}"
		for node in "${!lab_wan[@]}"; do
			cable "$node" wan wan "$node"
		done
		cable left lan host-a left
		cable left2 lan host-a left2
		cable right lan host-b lan
		cable nat lan client lan
	} | ip -batch -

	{
		echo "link add bridge type bridge"
		printf 'link set %s up\n' bridge "${!lab_wan[@]}"
		printf 'link set %s master bridge\n' "${!lab_wan[@]}"
	} | on wan
	for node in "${!lab_wan[@]}"; do
		n=${lab_wan[$node]}
		{ foot lo; foot wan "192.0.2.$n/24" "2001:db8::$n/64"; } | on "$node"
	done

	# host-a has a network, and so a foot, for each tunnel.
	on host-a <<-END
		link add lan type bridge
		link set left up master lan
		link set left2 up master lan
		$(foot lo)
		$(foot lan 10.1.0.10/24 10.1.1.10/24 fd00:1::10/64)
		route add 10.2.0.0/24 via 10.1.0.1 src 10.1.0.10
		route add 10.2.1.0/24 via 10.1.0.1 src 10.1.1.10
		route add default via 10.1.0.1
		route add default via fd00:1::1
	END
	on host-b <<-END
		$(foot lo)
		$(foot lan 10.2.0.10/24 10.2.1.10/24 fd00:2::10/64)
		route add default via 10.2.0.1 src 10.2.0.10
		route add 10.1.1.0/24 via 10.2.0.1 src 10.2.1.10
		route add default via fd00:2::1
	END
	on left <<-END
		$(foot lan 10.1.0.1/24 10.1.1.1/24 fd00:1::1/64)
		route add default via 192.0.2.2
		route add default via 2001:db8::2
	END
	on left2 <<-END
		$(foot lan 10.1.0.2/24)
		route add default via 192.0.2.2
		route add default via 2001:db8::2
	END
	on right <<-END
		$(foot lan 10.2.0.1/24 10.2.1.1/24 fd00:2::1/64)
		route add default via 192.0.2.1
		route add default via 2001:db8::1
	END
	foot lan 10.9.0.1/24 | on nat
	on client <<-END
		$(foot lan 10.9.0.2/24)
		link set wan down
		route add default via 10.9.0.1
	END
	for node in left left2 right nat; do
		in_node "$node" sysctl -qw net.ipv4.ip_forward=1 net.ipv6.conf.all.forwarding=1
	done
	# Where a kernel cannot, there is no road warrior, but all the rest.
	in_node nat nft -f - <<-END || true
		table ip nat {
			chain out {
				type nat hook postrouting priority srcnat
				oifname wan masquerade
			}
		}
	END
}

has_esp()
{
	ip -n lab-wan xfrm state add src 192.0.2.1 dst 192.0.2.2 proto esp spi 1 \
		mode tunnel enc 'cbc(aes)' 0x000102030405060708090a0b0c0d0e0f \
		auth-trunc 'hmac(sha1)' 0x000102030405060708090a0b0c0d0e0f10111213 96 ||
		return 1
	ip -n lab-wan xfrm state flush
}

network_down()
{
	local node
	for node in "${lab_nodes[@]}"; do
		[ ! -e "/run/netns/lab-$node" ] || ip netns del "lab-$node"
	done
}

# Keys and certificates of all, once
pki_up()
{
	"$lab_dir/pki" "$lab_run/pki" left left2 right client
}

# charon_config NODE SCENARIO IPSEC: strongswan.conf of a daemon of its own, which
# leaves the ESP to IPSEC: kernel-netlink, or kernel-libipsec. It gives a peer up that has not
# answered the last of $patient retransmissions. sha256_96 has a private number.
charon_config()
{
	local dir=$lab_run/$1 esp='' routes=yes
	[ "$3" = kernel-netlink ] || esp=$3
	[ "$2" != ecmp ] || routes=no
	cat <<-END
		charon-systemd {
			load = random nonce aes sha1 sha2 hmac kdf gmp openssl pem pkcs1 pkcs8 x509 pubkey constraints revocation $esp kernel-netlink socket-default vici
			install_routes = $routes
			retransmit_tries = ${patient-5}
			retransmit_timeout = 1
			retransmit_base = 1.4
			accept_private_algs = yes
			plugins {
				vici {
					socket = unix://$dir/vici
				}
			}
			journal {
				default = -1
			}
			filelog {
				log {
					path = $dir/log
					flush_line = yes
					append = yes
					time_format = %T
					default = 1
				}
			}
		}
	END
}

# swan NODE ARGUMENT...: swanctl, of that node's daemon. Most of what it can do
# takes none of its plugins, which are slow to load.
swan()
{
	local dir=$lab_run/$1 plugins=pem
	shift
	[[ $1 != --load-* ]] || plugins='pem pkcs1 pkcs8 x509 openssl'
	echo "swanctl { load = $plugins }" >"$dir/swanctl.strongswan.conf"
	STRONGSWAN_CONF=$dir/swanctl.strongswan.conf SWANCTL_DIR=$dir/swanctl \
		timeout 100 swanctl "$1" --uri "unix://$dir/vici" "${@:2}"
}

# charon_start NODE SCENARIO [SED-SCRIPT [IPSEC]]: a daemon with a scenario's
# configuration, which the script changes first
charon_start()
{
	local node=$1 dir=$lab_run/$1 unconfined=()

	charon_stop "$node"
	# The last of them to come
	[ -s "$dir/swanctl/private/$node.key" ] || {
		mkdir -p "$dir/swanctl"/{x509,x509ca,private}
		cp "$lab_run/pki/x509ca/ca.crt" "$dir/swanctl/x509ca/"
		cp "$lab_run/pki/x509/$node.crt" "$dir/swanctl/x509/"
		cp "$lab_run/pki/private/$node.key" "$dir/swanctl/private/"
	}
	sed "${3-}" "$lab_dir/$2/$node.conf" >"$dir/swanctl/swanctl.conf"
	charon_config "$node" "$2" "${4-kernel-netlink}" >"$dir/strongswan.conf"

	# A profile for the system's own daemon allows it its own files only.
	if grep -qs Y /sys/module/apparmor/parameters/enabled &&
			command -v aa-exec >/dev/null; then
		unconfined=(aa-exec -p unconfined --)
	fi
	# exec: its process is the one that is stopped.
	(STRONGSWAN_CONF=$dir/strongswan.conf exec nsenter --net="/run/netns/lab-$node" \
		"${unconfined[@]}" charon-systemd) </dev/null >>"$dir/log" 2>&1 &
	echo $! >"$dir/pid"
	wait_until 30 [ -S "$dir/vici" ] || { tail -n 20 "$dir/log"; return 1; }
	swan "$node" --load-all >"$dir/load" 2>&1 || { cat "$dir/load"; return 1; }
}

# charon_is NODE PID: the process is that node's daemon, and not what has its number since
charon_is()
{
	grep -qszxF "STRONGSWAN_CONF=$lab_run/$1/strongswan.conf" "/proc/$2/environ"
}

# charon_stop NODE [SIGNAL]: and wait until it has
charon_stop()
{
	local dir=$lab_run/$1 pid
	[ -e "$dir/pid" ] || return 0
	pid=$(cat "$dir/pid")
	if charon_is "$1" "$pid"; then
		kill -s "${2-TERM}" "$pid" 2>/dev/null || true
		wait_until 20 eval "! kill -0 $pid" || {
			kill -s KILL "$pid" 2>/dev/null || true
			wait_until 20 eval "! kill -0 $pid"
		}
	fi
	rm -f "$dir/pid" "$dir/vici"
}

# What a daemon that was killed has left in the kernel
xfrm_flush()
{
	local node
	for node in "$@"; do
		ip -n "lab-$node" xfrm state flush
		ip -n "lab-$node" xfrm policy flush
	done
}

# sas NODE...: a line for each SA: SPI, algorithm, key bits, packets, bytes
sas()
{
	local node
	for node in "$@"; do
		ip -n "lab-$node" -s xfrm state
	done | awk '
		/^src / { if (spi) print spi, alg, bits, packets, bytes; spi = "" }
		/proto esp spi/ { spi = $4; sub(/\(.*/, "", spi); bits = alg = "" }
		/^\tenc |^\taead / {
			alg = $2; key = $3; sub(/\(.*/, "", key)
			bits = (length(key) - 2) * 4
			if (alg ~ /rfc4106/) bits -= 32
		}
		/lifetime current:/ {
			getline
			bytes = $1; sub(/\(.*/, "", bytes)
			packets = $2; sub(/\(.*/, "", packets)
		}
		END { if (spi) print spi, alg, bits, packets, bytes }'
}

# sa_packets ALGORITHM NODE...: that have passed its SAs
sa_packets()
{
	sas "${@:2}" | awk -v alg="$1" 'index($2, alg) { n += $4 } END { print n + 0 }'
}

# pings FROM TO [COUNT [SIZE]]: none of which is lost. All go at once, as far as the
# socket has room: for the last answer ping waits no longer than the interval, or
# two of the slowest.
pings()
{
	local said count=${3-20}
	said=$(in_node "$1" ping -q -c "$count" -l "$count" -S 200000 -i 10 -s "${4-1000}" "$2") || true
	[[ $said == *" 0% packet loss"* ]] || { echo "ping $2 from $1: $said"; return 1; }
}

# find_mtu FROM TO: of the path, both ways; packets that are too long may be lost
find_mtu()
{
	in_node "$1" ping -q -c 4 -i 0.2 -W 1 -s 4000 "$2" >/dev/null || true
}

# transfer FROM TO ADDRESS BYTES: by TCP, and compare
transfer()
{
	local server dir=$lab_run family=4 address=$3
	[[ $3 != *:* ]] || family=6 address=[$3]
	head -c "$4" /dev/urandom >"$dir/sent"
	# On one CPU: veth has a queue for each, where packets of one SA would
	# overtake each other, with any driver.
	in_node "$2" timeout 100 taskset -c 0 socat -u \
		"TCP$family-LISTEN:5000,reuseaddr" "CREATE:$dir/received" &
	server=$!
	# The server may take a moment to listen.
	in_node "$1" timeout 100 taskset -c 0 socat -u "OPEN:$dir/sent" \
		"TCP:$address:5000,retry=100,interval=0.1"
	wait $server
	cmp "$dir/sent" "$dir/received"
}

# up NODE CHILD: negotiate it now
up()
{
	local said
	said=$(swan "$1" --initiate --child "$2" --timeout 30 2>&1) || {
		echo "$1 could not bring $2 up: $said"
		tail -n 20 "$lab_run/$1/log"
		return 1
	}
}

# down NODE CHILD: and wait until its SAs have gone at both ends
down()
{
	swan "$1" --terminate --child "$2" --timeout 30 >"$lab_run/$1/down" 2>&1 || {
		cat "$lab_run/$1/down"
		return 1
	}
	no_sas
}

# no_sas: wait until there are none, at both ends
no_sas()
{
	wait_until 20 eval "[ -z \"\$(sas left right)\" ]"
}

# families: the children of that scenario, and their proposals
families()
{
	awk '/: families.child/ { child = $1 } /esp_proposals/ { sub(/-x25519/, ""); print child, $3 }' \
		"$lab_dir/families/left.conf"
}

# esp_cipher PROPOSAL: what sas and sa_packets call its cipher
esp_cipher()
{
	case $1 in
	aes*gcm*)	echo 'gcm(aes)' ;;
	aes*ctr*)	echo 'ctr(aes)' ;;
	aes*)		echo 'cbc(aes)' ;;
	null*)		echo 'cipher_null' ;;
	chacha20*)	echo 'chacha20' ;;
	esac
}

# input_counts: does this kernel keep count of an XFRM interface's users when
# packets are decrypted by any driver that does not finish in the call? 6.1.192
# takes a reference to the device that a packet came in on, and drops one of the
# XFRM interface that it has been moved to since: neither can be deleted any
# more, nor can their namespaces.
input_counts()
{
	local major
	major=$(uname -r)
	[ "${major%%.*}" -ge 7 ]
}

# The two interfaces of the ECMP scenario and their routes
ecmp_up()
{
	local node
	on right <<-END
		link add ipsec1 type xfrm dev wan if_id 1
		link add ipsec2 type xfrm dev wan if_id 2
		link set ipsec1 up mtu 1400
		link set ipsec2 up mtu 1400
		route replace 10.1.0.0/16 nexthop dev ipsec1 nexthop dev ipsec2
	END
	on left <<-END
		link add ipsec1 type xfrm dev wan if_id 1
		link set ipsec1 up mtu 1400
		route replace 10.2.0.0/16 dev ipsec1
	END
	on left2 <<-END
		link add ipsec2 type xfrm dev wan if_id 2
		link set ipsec2 up mtu 1400
		route replace 10.2.0.0/16 dev ipsec2
	END
	ip -n lab-host-a route replace 10.2.0.0/24 src 10.1.0.10 \
		nexthop via 10.1.0.1 nexthop via 10.1.0.2
	for node in host-a right; do
		in_node $node sysctl -qw net.ipv4.fib_multipath_hash_policy=1
	done
}

# As far as they are there
ecmp_down()
{
	local n
	for n in left/ipsec1 left2/ipsec2 right/ipsec1 right/ipsec2; do
		! ip -n "lab-${n%/*}" link show "${n#*/}" >/dev/null 2>&1 ||
			ip -n "lab-${n%/*}" link del "${n#*/}"
	done
	! ip -n lab-host-a route show 10.2.0.0/24 2>/dev/null | grep nexthop >/dev/null ||
		ip -n lab-host-a route replace 10.2.0.0/24 via 10.1.0.1 src 10.1.0.10
}

# Flows enough that both ways have some: each socket has a port of its own.
many_flows()
{
	# shellcheck disable=SC2016
	in_node host-a bash -c '
		for flow in {1..64}; do
			echo "flow $flow" >/dev/udp/10.2.0.10/5000
		done'
}

# The client comes out from behind the NAT, with another address, and goes back.
move_client()
{
	ip -n lab-client link set wan up
	ip -n lab-client route replace default via 192.0.2.2
	ip -n lab-client link set lan down
	wait_until 60 moved 192.0.2.4 192.0.2.4
}

move_client_back()
{
	client_behind_nat
	wait_until 60 moved 10.9.0.2 192.0.2.3
}

client_behind_nat()
{
	ip -n lab-client link set lan up
	ip -n lab-client route replace default via 10.9.0.1
	ip -n lab-client link set wan down
}

# moved OWN SEEN: MOBIKE is done: both ends' SAs have the client's address, its
# own and as the gateway sees it, and IKE has nothing left to do, now and a second
# later. Until then SAs are replaced one by one, and packets are lost in between.
moved()
{
	settled client "$1" && settled right "$2" && sleep 1 &&
		settled client "$1" && settled right "$2"
}

# settled NODE ADDRESS
settled()
{
	local ends tasks
	ends=$(ip -n "lab-$1" xfrm state | grep '^src ') &&
		! grep -qvwF "$2" <<<"$ends" &&
		tasks=$(swan "$1" --list-sas) &&
		! grep -qE '^ +(queued|active|passive):' <<<"$tasks"
}
