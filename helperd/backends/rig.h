/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Packets of our own, for a backend that is checked or measured: a channel that
 * nobody else has, keys of every kind, and packets of any shape.
 *
 * Everything about them follows from their place, so that what comes out can be
 * known beforehand.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_BACKENDS_RIG_H
#define WAVECRYPT_BACKENDS_RIG_H

#include "channel/alg.h"
#include "channel/loopback.h"
#include "channel/packet.h"

/** RIG_KEYS - keys of each kind: packets of several SAs come together */
#define RIG_KEYS	2

/** RIG_AUTH - bytes of the HMAC keys */
#define RIG_AUTH	20

/**
 * struct rig - packets, and the channel that they are in
 * @lb: the channel
 * @nr: number of packets
 * @desc: their descriptors
 * @packet: the packets, each of which has the slot of its number
 */
struct rig {
	struct loopback *lb;
	uint32_t nr;
	struct wavecrypt_desc *desc;
	struct packet *packet;
};

/**
 * struct rig_shape - what a packet looks like
 * @kind: algorithm, direction and key size
 * @key: which key of that kind, from 0 to %RIG_KEYS - 1
 * @len: payload
 * @aad_len: AAD
 * @seq_hi: the high half of a sequence number is authenticated, too
 */
struct rig_shape {
	unsigned int kind;
	uint32_t key;
	uint32_t len;
	uint16_t aad_len;
	bool seq_hi;
};

/** rig_open - @nr packets of up to @longest bytes; false: no memory */
bool rig_open(struct rig *rig, uint32_t nr, uint32_t longest);

/**
 * rig_close - free it, or what there is of it
 * @rig: the packets
 * @hung: a device may still write to them: they stay where they are
 */
void rig_close(struct rig *rig, bool hung);

/** rig_packet - make packet @i, with whatever payload there is */
void rig_packet(struct rig *rig, uint32_t i, const struct rig_shape *shape);

/** rig_payload - write a packet's AAD and payload, and zeros around them */
void rig_payload(const struct packet *p);

/** rig_fill - make all of them, usual ones of one kind and length */
void rig_fill(struct rig *rig, unsigned int kind, uint32_t len);

/* The contents, by place */
static inline uint8_t rig_key_byte(uint32_t key, uint32_t i)
{
	return i + 0x20 * key;
}

static inline uint8_t rig_auth_byte(uint32_t key, uint32_t i)
{
	return 0x40 + i + 0x20 * key;
}

static inline uint8_t rig_aad_byte(uint32_t i)
{
	return 0x80 + i;
}

static inline uint8_t rig_payload_byte(uint32_t i)
{
	return i * 31 + 7;
}

/** rig_iv - the IV, or the first counter block as &wavecrypt_desc.iv has it */
void rig_iv(unsigned int alg, uint8_t iv[16]);

#endif
