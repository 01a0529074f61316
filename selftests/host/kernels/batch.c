// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "batch.h"

/* Behind the last packet, to see what is written past it */
#define MARGIN	256

static const char *const alg_name[] = { "none", "cbc-sha1", "gcm" };
static const char *const op_name[] = { "encrypt", "decrypt" };

bool batch_init(struct batch *batch, struct engine *engine)
{
	*batch = (struct batch) {
		.engine = engine,
		.keys = calloc(ENGINE_KEYS, sizeof(*batch->keys)),
		.expect = malloc(ENGINE_DATA),
		.expect_icv = malloc(ENGINE_ICV),
	};
	return batch->keys && batch->expect && batch->expect_icv;
}

void batch_free(struct batch *batch)
{
	free(batch->keys);
	free(batch->expect);
	free(batch->expect_icv);
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
	batch->icv_used = 0;
}

unsigned int batch_key(struct batch *batch, unsigned int alg, unsigned int key_len)
{
	struct wavecrypt_key key;

	random_sa(&batch->keys[batch->nr_keys], alg, key_len);
	expand_sa(&key, &batch->keys[batch->nr_keys]);
	wavecrypt_gpu_key_init(&batch->engine->keys[batch->nr_keys], &key);
	return batch->nr_keys++;
}

static size_t icv_len(unsigned int alg)
{
	return alg == WAVECRYPT_ALG_GCM ? 16 : 20;
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

	if (batch->nr_groups && !batch->group_ended && group->alg == key->alg && group->op == op &&
	    group->rounds == key->aes_len / 4 + 6 &&
	    (!batch->group_limit || group->count < batch->group_limit) &&
	    wavecrypt_gpu_group_add(group, shape, len))
		return true;
	if (batch->nr_groups == ENGINE_GROUPS)
		return false;
	batch->group_ended = false;
	group = &batch->engine->groups[batch->nr_groups++];
	wavecrypt_gpu_group_init(group, key->alg, op, key->aes_len, batch->nr_packets);
	return wavecrypt_gpu_group_add(group, shape, len);
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
		.auth_len = aad_len + len,
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
	if (key->alg == WAVECRYPT_ALG_GCM)
		memcpy(desc.iv + 12, "\0\0\0\1", 4);
	wavecrypt_gpu_packet_init(packet, &desc);
	if (batch->layout == IN_PLACE) {
		batch->data_used = desc.data + len + WAVECRYPT_TAILROOM;
	} else {
		batch->data_used = desc.data + round_up(len, 16);
		/* At odd addresses too, and with something between */
		packet->icv = batch->icv_used + batch->nr_packets % 5;
		batch->icv_used = packet->icv + icv_len(key->alg) + 3;
	}
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
	uint8_t *icvs = batch->layout == IN_PLACE ? batch->expect : batch->expect_icv;
	uint8_t text[WAVECRYPT_GPU_MAX_LEN + WAVECRYPT_TAILROOM];

	for (unsigned int g = 0; g < batch->nr_groups; g++) {
		const struct wavecrypt_gpu_group *group = &engine->groups[g];

		for (unsigned int i = group->first; i < group->first + group->count; i++) {
			const struct wavecrypt_gpu_packet *p = &engine->packets[i];
			uint8_t *payload = batch->expect + p->data;

			memcpy(text, payload, p->len);
			reference(&batch->keys[p->key], group->op, (const uint8_t *)p->iv, text,
				  p->len, payload - p->aad_len, p->aad_len);
			memcpy(payload, text, p->len);
			memcpy(icvs + p->icv, text + p->len, icv_len(group->alg));
		}
	}
}

/* Names the first group with a packet whose bytes differ, and what differs */
static void explain(const struct batch *batch)
{
	const struct engine *engine = batch->engine;
	const bool apart = batch->layout == PACKED;
	const uint8_t *icvs = apart ? engine->icv : engine->data;
	const uint8_t *expect_icvs = apart ? batch->expect_icv : batch->expect;

	for (unsigned int g = 0; g < batch->nr_groups; g++) {
		const struct wavecrypt_gpu_group *group = &engine->groups[g];

		for (unsigned int i = group->first; i < group->first + group->count; i++) {
			const struct wavecrypt_gpu_packet *p = &engine->packets[i];
			const uint8_t *got = engine->data + p->data;
			const uint8_t *wanted = batch->expect + p->data;
			unsigned int at = 0;

			while (at < p->len && got[at] == wanted[at])
				at++;
			if (at == p->len && !memcmp(icvs + p->icv, expect_icvs + p->icv,
						    icv_len(group->alg)))
				continue;
			printf("# %s %s aes-%u, %s, group %u of %u, packet %u of %u:\n",
			       alg_name[group->alg], op_name[group->op],
			       32 * (group->rounds - 6), apart ? "packed" : "in place",
			       g, batch->nr_groups, i - group->first, group->count);
			printf("# %u bytes, %u of AAD, ICV at %u: ", p->len, p->aad_len, p->icv);
			if (at < p->len)
				printf("byte %u is %02x, not %02x\n", at, got[at], wanted[at]);
			else
				printf("wrong ICV\n");
			return;
		}
	}
	for (size_t at = 0; at < batch->data_used + MARGIN; at++)
		if (engine->data[at] != batch->expect[at]) {
			printf("# byte %zu of the data, outside of any payload, was written\n", at);
			return;
		}
	printf("# something between the ICVs was written\n");
}

bool batch_run(struct batch *batch)
{
	struct engine *engine = batch->engine;
	const bool apart = batch->layout == PACKED;
	const size_t size = batch->data_used + MARGIN, icv_size = batch->icv_used + MARGIN;
	const char *error;
	bool same;

	random_bytes(batch->expect, size);
	memcpy(engine->data, batch->expect, size);
	random_bytes(batch->expect_icv, icv_size);
	memcpy(engine->icv, batch->expect_icv, icv_size);
	transform(batch);
	error = engine->run(engine, batch->nr_groups, apart ? engine->icv : engine->data);
	if (error) {
		/* What the engine would do next is anyone's guess. */
		printf("Bail out! %s\n", error);
		fflush(stdout);
		_exit(1);
	}
	same = !memcmp(engine->data, batch->expect, size) &&
	       !memcmp(engine->icv, batch->expect_icv, icv_size);
	if (!same)
		explain(batch);
	batch_begin(batch, batch->layout, batch->group_limit);
	return same;
}
