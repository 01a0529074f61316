// SPDX-License-Identifier: GPL-2.0-only
/*
 * wavecrypt_bench: the packets
 *
 * A packet lies in memory as an skb's linear part does on its way through ESP:
 * the header (and, for GCM, the IV) as AAD, the text, room for the ICV.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "bench.h"

/* where the ESP header lies in a received frame: behind Ethernet and IPv4 */
#define HEADROOM	(14 + 20)

/* Of 10,000 packets 6122 have 60 bytes, 2347 have 536, and 1531 have 1360, evenly
 * shuffled.
 */
static unsigned int mixed_len(unsigned int i)
{
	static const struct {
		unsigned int len, share;
	} mix[] = { { 60, 6122 }, { 536, 2347 }, { 1360, 1531 } };
	/* 6181 and 10,000 are coprime, and their ratio is near the golden one */
	unsigned int point = i % 10000 * 6181 % 10000, k;

	for (k = 0; point >= mix[k].share; k++)
		point -= mix[k].share;
	return mix[k].len;
}

/**
 * bench_len - how long a packet is
 * @spec: what is measured
 * @i: the packet's number
 *
 * Return: bytes of payload.
 */
unsigned int bench_len(const struct bench_spec *spec, unsigned int i)
{
	if (spec->other_len && i % 2)
		return spec->other_len;
	return spec->len ?: mixed_len(i);
}

/* where the AAD begins: ESP moves its header to make room for half a sequence number */
static unsigned int headroom(const struct bench_packets *packets)
{
	return HEADROOM - packets->shape->seq_hi;
}

/* bytes from the start of the AAD to the end of the text */
static unsigned int body(const struct bench_packets *packets,
			 const struct bench_packet *packet)
{
	return packets->shape->enc_aad + packets->shape->iv_block + packet->len;
}

/**
 * bench_packet_size - bytes of a packet, AAD and ICV included
 * @packets: the packets
 * @packet: one of them
 */
unsigned int bench_packet_size(const struct bench_packets *packets,
			       const struct bench_packet *packet)
{
	return body(packets, packet) + packets->shape->icv;
}

/**
 * bench_packets_footprint - memory that one takes while it is pending
 * @packets: the packets, all of one length
 *
 * As an skb's data would, and the request; the copy to compare with not.
 */
size_t bench_packets_footprint(const struct bench_packets *packets)
{
	const struct bench_packet *packet = &packets->packet[0];

	return ksize(packet->data - headroom(packets)) + ksize(packet->req);
}

/**
 * bench_packets_make - allocate packets
 * @packets: where to put them
 * @spec: what they shall look like
 * @reqsize: the largest of the drivers' request contexts
 *
 * Return: 0 or -ENOMEM; then there is nothing to free.
 */
int bench_packets_make(struct bench_packets *packets, const struct bench_spec *spec,
		       unsigned int reqsize)
{
	struct bench_packet *packet;
	unsigned int i, size;
	u8 *buffer;

	packets->shape = spec->shape;
	packets->nr = max3(BENCH_MIN_PACKETS, 2 * spec->depth, spec->tfms);
	packets->packet = kvcalloc(packets->nr, sizeof(*packet), GFP_KERNEL);
	if (!packets->packet)
		return -ENOMEM;

	for (i = 0; i < packets->nr; i++) {
		packet = &packets->packet[i];
		packet->len = ALIGN(bench_len(spec, i), spec->shape->align);
		size = bench_packet_size(packets, packet);
		buffer = kmalloc(headroom(packets) + size, GFP_KERNEL);
		if (!buffer)
			goto fail;
		packet->data = buffer + headroom(packets);
		sg_init_one(&packet->sg, packet->data, size);
		buffer = kmalloc(headroom(packets) + size, GFP_KERNEL);
		if (!buffer)
			goto fail;
		packet->cipher = buffer + headroom(packets);
		sg_init_one(&packet->kept, packet->cipher, size);
		packet->req = kzalloc(sizeof(*packet->req) + reqsize, GFP_KERNEL);
		if (!packet->req)
			goto fail;
	}
	return 0;

fail:
	bench_packets_free(packets);
	return -ENOMEM;
}

/**
 * bench_packets_free - free packets
 * @packets: the packets
 */
void bench_packets_free(struct bench_packets *packets)
{
	struct bench_packet *packet;
	unsigned int i;

	for (i = 0; i < packets->nr; i++) {
		packet = &packets->packet[i];
		if (packet->data)
			kfree(packet->data - headroom(packets));
		if (packet->cipher)
			kfree(packet->cipher - headroom(packets));
		kfree(packet->req);
	}
	kvfree(packets->packet);
}

/* byte @k of packet @i before encryption: anything, and never the same twice */
static u8 plain_byte(unsigned int i, unsigned int k)
{
	return (i * 2654435761u + k * 40503u) >> 13;
}

/**
 * bench_packets_plain - have all packets be as they are before encryption
 * @packets: the packets
 */
void bench_packets_plain(struct bench_packets *packets)
{
	struct bench_packet *packet;
	unsigned int i, k;

	for (i = 0; i < packets->nr; i++) {
		packet = &packets->packet[i];
		for (k = 0; k < bench_packet_size(packets, packet); k++)
			packet->data[k] = plain_byte(i, k);
	}
}

/**
 * bench_packets_cipher - have all packets be as they were kept
 * @packets: the packets
 */
void bench_packets_cipher(struct bench_packets *packets)
{
	struct bench_packet *packet;
	unsigned int i;

	for (i = 0; i < packets->nr; i++) {
		packet = &packets->packet[i];
		memcpy(packet->data, packet->cipher, bench_packet_size(packets, packet));
	}
}

/**
 * bench_packets_keep_cipher - keep all packets, just encrypted, as they are
 * @packets: the packets
 */
void bench_packets_keep_cipher(struct bench_packets *packets)
{
	struct bench_packet *packet;
	unsigned int i;

	for (i = 0; i < packets->nr; i++) {
		packet = &packets->packet[i];
		memcpy(packet->cipher, packet->data, bench_packet_size(packets, packet));
	}
}

static bool is_plain(const struct bench_packets *packets, unsigned int i)
{
	const struct bench_packet *packet = &packets->packet[i];
	unsigned int k;

	for (k = packets->shape->dec_aad; k < body(packets, packet); k++) {
		if (packet->data[k] != plain_byte(i, k))
			return false;
	}
	return !memcmp(packet->data, packet->cipher, packets->shape->dec_aad);
}

/**
 * bench_packets_check - see whether packets are what they have to be
 * @packets: the packets
 * @decrypted: what was done to them. Packets that were to be refused are not
 *	looked at.
 *
 * Return: 0, or -EBADE and a message in the kernel's log.
 */
int bench_packets_check(const struct bench_packets *packets, bool decrypted)
{
	const struct bench_packet *packet;
	unsigned int i;
	bool right;

	for (i = 0; i < packets->nr; i++) {
		packet = &packets->packet[i];
		if (packet->expect)
			continue;
		if (decrypted)
			right = is_plain(packets, i);
		else
			right = !memcmp(packet->data, packet->cipher,
					bench_packet_size(packets, packet));
		if (!right) {
			pr_err("packet %u of %u bytes is wrong after %s\n", i,
			       packet->len, decrypted ? "decryption" : "encryption");
			return -EBADE;
		}
	}
	return 0;
}

/**
 * bench_packets_spoil - have some packets be inauthentic, if that can be noticed
 * @packets: the packets, which are encrypted
 * @spoilt: true to spoil them, false to forget that they were
 */
void bench_packets_spoil(struct bench_packets *packets, bool spoilt)
{
	struct bench_packet *packet;
	unsigned int i, size;

	if (!packets->shape->icv)
		return;
	for (i = 0; i < packets->nr; i += 7) {
		packet = &packets->packet[i];
		size = bench_packet_size(packets, packet);
		packet->expect = spoilt ? -EBADMSG : 0;
		if (spoilt)
			packet->data[i * 13 % size] ^= 1 << i % 8;
	}
}
