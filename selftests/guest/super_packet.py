# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.

"""super_packet.py DEVICE SOURCE DESTINATION SIZE BYTES: a TCP packet over IPv4 with BYTES
bytes of payload comes in by DEVICE, a TUN device made with vnet_hdr, to be sent on in segments
of SIZE bytes (GSO)"""

import fcntl
import os
import socket
import struct
import sys

from scapy.layers.inet import IP, TCP, in4_pseudoheader
from scapy.utils import checksum

TUNSETIFF = 0x400454CA
IFF_TUN, IFF_NO_PI, IFF_VNET_HDR = 0x1, 0x1000, 0x4000
VIRTIO_NET_HDR_F_NEEDS_CSUM, VIRTIO_NET_HDR_GSO_TCPV4 = 1, 1
IPV4_HEADER, TCP_HEADER, TCP_CHECKSUM = 20, 20, 16


def super_packet(source, destination, size, payload):
    """struct virtio_net_hdr, and the packet"""
    ip = IP(src=source, dst=destination)
    # Who segments it completes what the pseudo-header makes of TCP's checksum.
    pseudo = checksum(in4_pseudoheader(socket.IPPROTO_TCP, ip, TCP_HEADER + payload)) ^ 0xFFFF
    tcp = TCP(sport=5201, dport=5201, seq=1, ack=1, flags="A", window=1024, chksum=pseudo)
    header = struct.pack(
        "=BBHHHH",
        VIRTIO_NET_HDR_F_NEEDS_CSUM,
        VIRTIO_NET_HDR_GSO_TCPV4,
        IPV4_HEADER + TCP_HEADER,
        size,
        IPV4_HEADER,
        TCP_CHECKSUM,
    )
    return header + bytes(ip / tcp / bytes(payload))


def main():
    """What the module's docstring says"""
    if len(sys.argv) != 6:
        sys.exit(__doc__)
    device, source, destination, size, payload = sys.argv[1:]
    tun = os.open("/dev/net/tun", os.O_RDWR)
    flags = IFF_TUN | IFF_NO_PI | IFF_VNET_HDR
    fcntl.ioctl(tun, TUNSETIFF, struct.pack("16sH22x", device.encode(), flags))
    os.write(tun, super_packet(source, destination, int(size), int(payload)))


if __name__ == "__main__":
    main()
