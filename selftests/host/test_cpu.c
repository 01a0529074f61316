// SPDX-License-Identifier: GPL-2.0-only
/*
 * The cpu backend against libcrypto.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>

#include "backends/cpu/cpu.h"
#include "channel/alg.h"
#include "channel/queue.h"
#include "ktap.h"
#include "producer.h"

#define ENTRIES	128

static struct producer producer;
static struct queue queue;
static struct backend *be;
static struct chunk *chunk;

/* Load what was submitted and not yet taken. Return: how many. */
static uint32_t take(struct packet **packets)
{
	uint32_t nr = 0;

	loopback_flush(producer.lb, 0);
	queue_refill(&queue);
	while (queue.head != queue.tail) {
		uint32_t index = queue_next(&queue);
		struct packet *p = &queue.packets[index];

		EXPECT(packet_load(p, loopback_channel(producer.lb), &queue),
		       "packet of %u bytes, key %u", p->len, p->key_index);
		packets[nr++] = p;
	}
	return nr;
}

/* All packets of one kind through the backend, and back. */
static void run(struct packet **packets, uint32_t nr, uint8_t status)
{
	uint32_t index;

	memcpy(chunk->packets, packets, nr * sizeof(packets[0]));
	chunk_part(chunk, nr, 0);
	EXPECT(be->ops->submit(be, chunk), "%u packets", nr);
	EXPECT(be->ops->poll(be) == chunk, "chunk of %u packets", nr);
	EXPECT(!be->ops->poll(be), "a chunk that was never submitted");
	for (uint32_t i = 0; i < nr; i++) {
		EXPECT(chunk->packets[i]->status == status,
		       "packet %u of %u: status %u", i, nr,
		       chunk->packets[i]->status);
		queue_complete(&queue, chunk->packets[i]);
	}
	queue_publish(&queue, false);
	for (uint32_t i = 0; i < nr; i++) {
		EXPECT(loopback_reap(producer.lb, 0, &index) == status,
		       "completion %u of %u", i, nr);
		if (status == WAVECRYPT_STATUS_OK)
			EXPECT(producer_good(&producer, 0, index),
			       "alg %u op %u key %u bytes: packet %u of %u, %u bytes, AAD %u",
			       chunk->parts[0].alg, chunk->parts[0].op,
			       chunk->parts[0].key_len, i, nr,
			       queue.packets[index].len,
			       queue.packets[index].aad_len);
		loopback_put(producer.lb, 0, index);
	}
}

static void add(const struct shape *shape)
{
	uint32_t index;

	EXPECT(producer_add(&producer, 0, shape, &index), "queue full");
}

static void begin(void)
{
	random_seed(1);
	producer_init(&producer, 1, ENTRIES);
	EXPECT(queue_init(&queue, loopback_channel(producer.lb), 0,
			  0),
	       "no memory");
	be = cpu_backend.open(&cpu_device, loopback_channel(producer.lb));
	chunk = chunk_alloc(CHUNK_MAX);
}

static void end(void)
{
	struct channel *ch = loopback_channel(producer.lb);

	be->ops->close(be);
	chunk_free(chunk);
	queue_exit(&queue);
	ch->ops->close(ch);
	producer_exit(&producer);
}

/* Kinds of one cipher: what they have in common is a code path. */
#define for_each_kind(kind, by)						\
	for (uint32_t kind = 0; kind < ALG_KINDS; kind++)		\
		if (alg_kind_exists(kind) &&				\
		    algs[alg_of_kind(kind)].cipher == (by))

/* Of a kind that exists, two keys: 0 and 1 */
static void keys_of(uint32_t kind)
{
	for (uint32_t key = 0; key < 2; key++)
		producer_give(&producer, key, alg_of_kind(kind),
			      alg_key_len_of_kind(kind));
}

static void length_of(uint32_t kind, uint32_t len)
{
	struct shape s = {
		.len = len,
		.aad_len = len % 2 ? 12 : 8,
		.op = alg_op_of_kind(kind),
	};
	struct packet *packets[1];

	add(&s);
	run(packets, take(packets), 0);
}

/* Every length, but for ciphers without blocks that several HMACs go with: there
 * those that end somewhere else in the hash's blocks, and beyond that one now and
 * then.
 */
static void each_length(enum alg_cipher by)
{
	begin();
	for_each_kind(kind, by) {
		uint32_t step = algs[alg_of_kind(kind)].block;

		keys_of(kind);
		for (uint32_t len = step; len <= 10112; len += step)
			if (len <= 600 || step > 1 || by == CIPHER_GCM ||
			    len % 61 == 0 || len % 1024 == 0)
				length_of(kind, len);
	}
	end();
}

static void each_length_cbc(void)
{
	each_length(CIPHER_CBC);
}

static void each_length_ctr(void)
{
	each_length(CIPHER_CTR);
}

static void each_length_null(void)
{
	each_length(CIPHER_NONE);
}

static void each_length_gcm(void)
{
	each_length(CIPHER_GCM);
}

static void each_length_chacha(void)
{
	each_length(CIPHER_CHACHA20);
}

static void every_aad(bool esn)
{
	begin();
	for (uint32_t kind = 0; kind < ALG_KINDS; kind++) {
		if (!alg_kind_exists(kind))
			continue;
		keys_of(kind);
		producer.sas[0].esn = esn && algs[alg_of_kind(kind)].seq_hi;
		for (uint16_t aad = 0; aad <= WAVECRYPT_HEADROOM; aad++) {
			struct shape s = {
				.len = 16 + 16 * random_below(90),
				.aad_len = aad,
				.op = alg_op_of_kind(kind),
			};
			struct packet *packets[1];

			add(&s);
			run(packets, take(packets), 0);
		}
	}
	end();
}

static void each_aad(void)
{
	every_aad(false);
}

static void each_aad_esn(void)
{
	every_aad(true);
}

/* Batches of each size, of packets of any length and two keys */
static void each_batch(void)
{
	begin();
	for (uint32_t kind = 0; kind < ALG_KINDS; kind++) {
		if (!alg_kind_exists(kind))
			continue;
		keys_of(kind);
		for (uint32_t nr = 1; nr <= CHUNK_MAX; nr += 1 + nr / 20) {
			struct packet *packets[CHUNK_MAX];

			for (uint32_t i = 0; i < nr; i++) {
				struct shape s = shape_random(&producer, 2048);

				/* Of one bin, but not of one SA. */
				s.key = i % 2;
				s.op = alg_op_of_kind(kind);
				s.len = (s.len + 15) & -16;
				add(&s);
			}
			run(packets, take(packets), 0);
		}
	}
	end();
}

/* The key goes between the packet's check and its turn. */
static void key_goes_of(uint32_t kind)
{
	struct shape s = {
		.len = 96, .aad_len = 8, .op = alg_op_of_kind(kind)
	};
	struct packet *packets[1];

	begin();
	keys_of(kind);
	add(&s);
	EXPECT(take(packets) == 1, "not taken");
	keys_of(kind);
	be->ops->keys_changed(be);
	run(packets, 1, WAVECRYPT_STATUS_RETRY);
	/* And the new one works, twice: derived, then found. */
	for (int i = 0; i < 2; i++) {
		add(&s);
		run(packets, take(packets), 0);
	}
	end();
}

static void key_goes(void)
{
	for (uint32_t kind = 0; kind < ALG_KINDS; kind++)
		if (alg_kind_exists(kind))
			key_goes_of(kind);
}

static bool is_zero(const void *p, size_t len)
{
	const uint8_t *b = p;

	for (size_t i = 0; i < len; i++)
		if (b[i])
			return false;
	return true;
}

static void key_wiped(void)
{
	struct wavecrypt_key *table;
	struct packet p = { .key_len = 16, .key_gen = 7 };
	struct IMB_MGR *mgr = cpu_manager(&imb_linked, CPU_SSE);
	uint8_t aes[16] = "a key, not zero";
	struct gcm_keys keys;
	const struct gcm_key_data *data;

	table = calloc(4, sizeof(*table));
	EXPECT(table && mgr && gcm_keys_init(&keys, table, 4),
	       "no memory");
	for (uint32_t i = 1; i < 4; i++) {
		loopback_key_set(&table[i], 7, WAVECRYPT_ALG_GCM, aes, 16,
				 NULL, 0);
		p.key_index = i;
		p.key = &table[i];
		data = gcm_keys_get(&keys, mgr, &p);
		EXPECT(data && data == gcm_keys_get(&keys, mgr, &p),
		       "key %u derived anew", i);
		EXPECT(!is_zero(data, sizeof(*data)), "key %u empty", i);
	}
	table[2].gen = 0;
	for (uint32_t i = 0; i < 4; i++)
		gcm_keys_expire(&keys, i);
	EXPECT(is_zero(&keys.data[2], sizeof(keys.data[2])),
	       "powers of H of a key that is gone");
	EXPECT(!is_zero(&keys.data[1], sizeof(keys.data[1])) &&
	       !is_zero(&keys.data[3], sizeof(keys.data[3])),
	       "keys that are not gone were wiped");
	EXPECT(keys.nr_live == 2, "%u live", keys.nr_live);
	table[3].gen = 8;
	gcm_keys_expire_all(&keys);
	EXPECT(keys.nr_live == 1 && keys.live[0] == 1, "%u live",
	       keys.nr_live);
	EXPECT(is_zero(&keys.data[3], sizeof(keys.data[3])),
	       "powers of H of a key that was replaced");
	p.key_index = 2;
	p.key = &table[2];
	EXPECT(!gcm_keys_get(&keys, mgr, &p), "derived from a key that is gone");
	EXPECT(is_zero(&keys.data[2], sizeof(keys.data[2])),
	       "powers of H that nobody may use");
	gcm_keys_exit(&keys);
	free_mb_mgr(mgr);
	free(table);
}

/* The longest HMAC key that is not hashed first is as long as the hash's block. */
static void key_lengths(void)
{
	static const uint8_t raw[128 + 1];
	struct wavecrypt_key key = { 0 };

	for (unsigned int alg = 1; alg < WAVECRYPT_ALGS; alg++) {
		const EVP_MD *md = algs[alg].hash ? EVP_get_digestbyname(algs[alg].hash) : NULL;
		const size_t block = md ? EVP_MD_get_block_size(md) : 0;

		if (!algs[alg].hash)
			continue;
		EXPECT(block && loopback_key_set(&key, 1, alg, raw, alg_key_min(alg), raw, block),
		       "%s: a key of %zu bytes", algs[alg].label, block);
		EXPECT(!loopback_key_set(&key, 2, alg, raw, alg_key_min(alg), raw, block + 1),
		       "%s: a key of %zu bytes", algs[alg].label, block + 1);
	}
}

static const struct ktap_case cases[] = {
	{ "CBC: lengths up to 10112, each HMAC and key size, both ways",
	  each_length_cbc },
	{ "CTR: lengths up to 10112, each HMAC and key size, both ways",
	  each_length_ctr },
	{ "HMAC alone: lengths up to 10112, both ways", each_length_null },
	{ "GCM: lengths up to 10112, each key size, both ways",
	  each_length_gcm },
	{ "ChaCha20-Poly1305: lengths up to 10112, both ways",
	  each_length_chacha },
	{ "every AAD length", each_aad },
	{ "every AAD length with an extended sequence number", each_aad_esn },
	{ "batches of 1 to 128 packets of mixed lengths and keys",
	  each_batch },
	{ "HMAC keys up to the hash's block", key_lengths },
	{ "a packet whose key has gone is given back", key_goes },
	{ "what was derived from a key that has gone is wiped", key_wiped },
	{ 0 },
};

int main(void)
{
	const char *why = cpu_backend.probe(&cpu_device);

	if (why) {
		EXPECT(false, "%s", why);
		return 1;
	}
	return ktap_run(cases);
}
