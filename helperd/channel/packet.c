// SPDX-License-Identifier: GPL-2.0-only
/*
 * Descriptors are the module's, and the module is trusted with the machine;
 * checking them costs little and turns a bug over there into a retry instead
 * of a write through a wild pointer over here.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <string.h>

#include "channel/alg.h"
#include "channel/packet.h"
#include "channel/queue.h"

static bool packet_in_slots(const struct packet *p, const struct queue *q)
{
	uint64_t data = p->offset;
	uint32_t tail = algs[p->alg].icv_len;

	if (tail < packet_seq_hi_len(p))
		tail = packet_seq_hi_len(p);
	return data % WAVECRYPT_LINE == 0 &&
	       data >= q->slots + p->aad_len &&
	       data + p->len + tail <= q->slots_end;
}

/* Everything, and the sequence number's high half where there is room for that */
static bool packet_authenticates(const struct packet *p)
{
	const struct alg *alg = &algs[p->alg];
	uint32_t all = p->aad_len + p->len;

	if (alg->auth == AUTH_NONE)
		return !p->auth_len;
	return p->auth_len == all ||
	       (alg->seq_hi && p->auth_len == all + sizeof(uint32_t));
}

static bool packet_sound(const struct packet *p, const struct channel *ch,
			 const struct queue *q)
{
	if (!alg_exists(p->alg) || p->op >= WAVECRYPT_OPS ||
	    p->key_index >= ch->geo.keys)
		return false;
	return p->len && p->len <= PACKET_MAX_LEN - WAVECRYPT_HEADROOM &&
	       !(p->len & (algs[p->alg].block - 1)) &&
	       p->aad_len <= WAVECRYPT_HEADROOM && packet_authenticates(p) &&
	       packet_in_slots(p, q);
}

static bool packet_has_key(const struct packet *p,
			   const struct wavecrypt_key *key)
{
	/* The key was written before its generation. */
	return __atomic_load_n(&key->gen, __ATOMIC_ACQUIRE) == p->key_gen &&
	       p->key_gen && key->alg == p->alg && key->key_len == p->key_len &&
	       alg_has_key_len(p->alg, p->key_len);
}

bool packet_load(struct packet *p, const struct channel *ch,
		 const struct queue *q)
{
	const struct wavecrypt_desc *d = &q->desc[p->index];

	memcpy(p, d, offsetof(struct packet, slot));
	p->slot = q->id * (q->mask + 1) + p->index;
	p->status = WAVECRYPT_STATUS_RETRY;
	if (!packet_sound(p, ch, q) ||
	    !packet_has_key(p, channel_keys(ch) + p->key_index))
		return false;
	p->status = WAVECRYPT_STATUS_OK;
	p->data = ch->map[WAVECRYPT_REGION_SLOTS] + p->offset;
	p->key = channel_keys(ch) + p->key_index;
	p->iv = d->iv;
	return true;
}
