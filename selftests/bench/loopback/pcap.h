/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Captures: the IP packets of a pcap file.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_BENCH_PCAP_H
#define WAVECRYPT_BENCH_PCAP_H

#include <stdint.h>

/** PACKET_LONGEST - longest payload that is played, in bytes */
#define PACKET_LONGEST	10112u

/**
 * struct pcap_frame - an IP packet
 * @data: its bytes
 * @len: how many; not more than can be played
 */
struct pcap_frame {
	const uint8_t *data;
	uint32_t len;
};

/**
 * struct pcap - a capture
 * @file: what the file holds; the frames point there
 * @nr: number of packets
 * @frames: the packets
 */
struct pcap {
	uint8_t *file;
	uint32_t nr;
	struct pcap_frame *frames;
};

/**
 * pcap_read - read a capture
 * @pcap: result
 * @path: a pcap file, not pcapng, of Ethernet, raw IP or Linux "any"
 *
 * Frames that are no IP packets, were cut short or are too long are left out.
 *
 * Return: NULL, or what is wrong.
 */
const char *pcap_read(struct pcap *pcap, const char *path);

/** pcap_free - free it */
void pcap_free(struct pcap *pcap);

#endif
