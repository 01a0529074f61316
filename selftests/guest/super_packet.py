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

TUNSETIFF = 0x400454CA
IFF_TUN, IFF_NO_PI, IFF_VNET_HDR = 0x1, 0x1000, 0x4000
VIRTIO_NET_HDR_F_NEEDS_CSUM, VIRTIO_NET_HDR_GSO_TCPV4 = 1, 1
IPV4_HEADER, TCP_HEADER = 20, 20


def checksum(data):
    """Of an even number of bytes, as RFC 1071 has it"""
    total = sum(struct.unpack(f"!{len(data) // 2}H", data))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return total


def super_packet(source, destination, size, payload):
    """struct virtio_net_hdr, and the packet"""
    tcp_bytes = TCP_HEADER + payload
    addresses = socket.inet_aton(source) + socket.inet_aton(destination)
    fields = (0x45, 0, IPV4_HEADER + tcp_bytes, 1, 0, 64, socket.IPPROTO_TCP)
    own = checksum(struct.pack("!BBHHHBBH", *fields, 0) + addresses)
    # Who segments it completes what the pseudo-header makes of TCP's checksum.
    pseudo = checksum(addresses + struct.pack("!HH", socket.IPPROTO_TCP, tcp_bytes))
    return (
        struct.pack(
            "=BBHHHH",
            VIRTIO_NET_HDR_F_NEEDS_CSUM,
            VIRTIO_NET_HDR_GSO_TCPV4,
            IPV4_HEADER + TCP_HEADER,
            size,
            IPV4_HEADER,
            16,
        )
        + struct.pack("!BBHHHBBH", *fields, own ^ 0xFFFF)
        + addresses
        + struct.pack("!HHIIBBHHH", 5201, 5201, 1, 1, 5 << 4, 0x10, 1024, pseudo, 0)
        + bytes(payload)
    )


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
