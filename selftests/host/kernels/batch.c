// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "batch.h"
#include "channel/alg.h"
#include "describe.h"

/* Behind the last packet, to see what is written past it */
#define MARGIN	256

static const char *const op_name[] = { "encrypt", "decrypt" };

bool batch_init(struct batch *batch, struct engine *engine)
{
	*batch = (struct batch) {
		.engine = engine,
		.keys = calloc(ENGINE_KEYS, sizeof(*batch->keys)),
		.expect = malloc(ENGINE_DATA),
	};
	return batch->keys && batch->expect;
}

void batch_free(struct batch *batch)
{
	free(batch->keys);
	free(batch->expect);
}

void batch_begin(struct batch *batch, enum layout layout, unsigned int group_limit)
{
	batch->layout = layout;
	batch->group_limit = group_limit;
	batch->nr_keys = 0;
	batch->nr_packets = 0;
	batch->nr_groups = 0;
	batch->group_ended = false;
	batch->data_used = 0;
}

unsigned int batch_key(struct batch *batch, unsigned int alg, unsigned int key_len, bool esn)
{
	struct wavecrypt_key key;

	random_sa(&batch->keys[batch->nr_keys], alg, key_len);
	batch->keys[batch->nr_keys].esn = esn && algs[alg].seq_hi;
	expand_sa(&key, &batch->keys[batch->nr_keys]);
	wavecrypt_gpu_key_init(&batch->engine->keys[batch->nr_keys], &key);
	return batch->nr_keys++;
}

static size_t round_up(size_t n, size_t to)
{
	return (n + to - 1) / to * to;
}

/* The last group, or a new one where the packet does not go into that */
static bool join_group(struct batch *batch, const struct sa *key, unsigned int op,
		       size_t len)
{
	const struct wavecrypt_gpu_shape *shape = batch->engine->shape;
	struct wavecrypt_gpu_group *group = &batch->engine->groups[batch->nr_groups - 1];

	if (batch->nr_groups && !batch->group_ended && group->op == op &&
	    batch->last.alg == key->alg &&
	    batch->last.aes_len == key->aes_len &&
	    (!batch->group_limit || group->count < batch->group_limit) &&
	    describe_in_group(group, shape, len))
		return true;
	if (batch->nr_groups == ENGINE_GROUPS)
		return false;
	batch->group_ended = false;
	batch->last.alg = key->alg;
	batch->last.aes_len = key->aes_len;
	group = &batch->engine->groups[batch->nr_groups++];
	wavecrypt_gpu_group_init(group, key->alg, op, key->aes_len, batch->nr_packets);
	return describe_in_group(group, shape, len);
}

bool batch_add(struct batch *batch, unsigned int key_index, unsigned int op, size_t len,
	       size_t aad_len)
{
	const struct sa *key = &batch->keys[key_index];
	struct wavecrypt_gpu_packet *packet = &batch->engine->packets[batch->nr_packets];
	struct wavecrypt_desc desc = {
		.len = len,
		.key = key_index,
		.aad_len = aad_len,
		.auth_len = algs[key->alg].auth == AUTH_NONE ? 0 :
			    aad_len + len + (key->esn ? sizeof(key->seq_hi) : 0),
		.seq_hi = key->seq_hi,
		.alg = key->alg,
		.op = op,
		.key_len = key->aes_len,
	};

	desc.data = batch->layout == IN_PLACE ?
		round_up(batch->data_used + WAVECRYPT_HEADROOM, WAVECRYPT_LINE) :
		round_up(batch->data_used + round_up(aad_len, 16), 16);
	if (batch->nr_packets == ENGINE_PACKETS ||
	    desc.data + len + WAVECRYPT_TAILROOM + MARGIN > ENGINE_DATA ||
	    !join_group(batch, key, op, len))
		return false;

	random_bytes(desc.iv, 16);
	if (algs[key->alg].cipher == CIPHER_GCM || algs[key->alg].cipher == CIPHER_CTR)
		memcpy(desc.iv + 12, "\0\0\0\1", 4);
	if (algs[key->alg].cipher == CIPHER_CHACHA20)
		memset(desc.iv + 12, 0, 4);
	describe_packet(packet, &desc);
	batch->data_used = desc.data + len + WAVECRYPT_TAILROOM;
	if (batch->layout == PACKED)
		batch->data_used = desc.data + len + algs[key->alg].icv_len;
	batch->nr_packets++;
	batch->bytes += len;
	return true;
}

void batch_end_group(struct batch *batch)
{
	batch->group_ended = true;
}

/* What is in @expect becomes what the kernels must make of it. */
static void transform(struct batch *batch)
{
	const struct engine *engine = batch->engine;
	uint8_t text[WAVECRYPT_GPU_MAX_LEN + WAVECRYPT_TAILROOM];

	for (unsigned int g = 0; g < batch->nr_groups; g++) {
		const struct wavecrypt_gpu_group *group = &engine->groups[g];

		for (unsigned int i = group->first; i < group->first + group->count; i++) {
			const struct wavecrypt_gpu_packet *p = &engine->packets[i];
			const struct sa *sa = &batch->keys[p->key];
			uint8_t *payload = batch->expect + p->data;

			memcpy(text, payload, p->len);
			reference(sa, group->op, (const uint8_t *)p->iv, text, p->len,
				  payload - p->aad_len, p->aad_len);
			memcpy(payload, text, p->len + algs[sa->alg].icv_len);
		}
	}
}

/* Names the first packet whose bytes differ, and what differs */
static void explain(const struct batch *batch)
{
	const struct engine *engine = batch->engine;

	for (unsigned int g = 0; g < batch->nr_groups; g++) {
		const struct wavecrypt_gpu_group *group = &engine->groups[g];

		for (unsigned int i = group->first; i < group->first + group->count; i++) {
			const struct wavecrypt_gpu_packet *p = &engine->packets[i];
			const struct sa *sa = &batch->keys[p->key];
			const uint8_t *got = engine->data + p->data;
			const uint8_t *wanted = batch->expect + p->data;
			const unsigned int all = p->len + algs[sa->alg].icv_len;
			unsigned int at = 0;

			while (at < all && got[at] == wanted[at])
				at++;
			if (at == all)
				continue;
			printf("# %s %s, key of %u bits, %s, group %u of %u, packet %u of %u:\n",
			       algs[sa->alg].label, op_name[group->op], 8 * sa->aes_len,
			       batch->layout == PACKED ? "packed" : "in place",
			       g, batch->nr_groups, i - group->first, group->count);
			printf("# %u bytes, %u of AAD, %u of sequence number: ", p->len,
			       p->aad_len, p->seq_hi_len);
			printf("byte %u%s is %02x, not %02x\n", at,
			       at < p->len ? "" : " (ICV)", got[at], wanted[at]);
			return;
		}
	}
	for (size_t at = 0; at < batch->data_used + MARGIN; at++)
		if (engine->data[at] != batch->expect[at]) {
			printf("# byte %zu of the data, outside of any packet, was written\n", at);
			return;
		}
}

bool batch_run(struct batch *batch)
{
	struct engine *engine = batch->engine;
	const size_t size = batch->data_used + MARGIN;
	const char *error;
	bool same;

	random_bytes(batch->expect, size);
	memcpy(engine->data, batch->expect, size);
	transform(batch);
	error = engine->run(engine, batch->nr_groups);
	if (error) {
		/* What the engine would do next is anyone's guess. */
		printf("Bail out! %s\n", error);
		fflush(stdout);
		_exit(1);
	}
	same = !memcmp(engine->data, batch->expect, size);
	if (!same)
		explain(batch);
	batch_begin(batch, batch->layout, batch->group_limit);
	return same;
}
