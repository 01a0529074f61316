// SPDX-License-Identifier: GPL-2.0-only
/*
 * The same message to both implementations, in one of several ways.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */

#include <err.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kcapi_pair.h"
#include "random.h"

/* Whole pages, as vmsplice() wants them */
#define BUFFER		65536

/* So many pieces at most */
#define MAX_PIECES	12

__thread uint8_t *in_buf, *out_buf;

/* How many messages that can be offloaded our implementation was given */
static atomic_ulong offloadable[2];

unsigned long pair_offloadable(enum op op)
{
	return offloadable[op];
}

/* -- Opening and closing -------------------------------------------------- */

static void tfm_open(struct tfm *tfm, const struct pair *pair)
{
	int ret = kcapi_aead_init(&tfm->handle, tfm->driver, pair->flags);

	if (ret)
		errx(1, "%s: %s", tfm->driver, strerror(-ret));
	ret = kcapi_aead_setkey(tfm->handle, pair->key, pair->key_len);
	if (ret)
		errx(1, "%s: setkey with %zu bytes: %s", tfm->driver,
		     pair->key_len, strerror(-ret));
	ret = kcapi_aead_settaglen(tfm->handle, pair->m.icv_len);
	if (ret)
		errx(1, "%s: ICV of %zu bytes: %s", tfm->driver,
		     pair->m.icv_len, strerror(-ret));
}

static void alloc_buffers(void)
{
	if (!in_buf)
		in_buf = aligned_alloc(4096, BUFFER);
	if (!out_buf)
		out_buf = aligned_alloc(4096, BUFFER);
	if (!in_buf || !out_buf)
		err(2, "memory");
}

/** pair_new - both implementations with a new key and an ICV */
void pair_new(struct pair *pair, const struct alg *alg, size_t aes_len,
	      size_t icv_len, uint32_t flags, uint64_t *rng)
{
	alloc_buffers();
	pair->alg = alg;
	pair->key_len = alg->make_key(pair->key, aes_len, rng);
	pair->m.icv_len = icv_len;
	pair->flags = flags;
	pair->rng = random_next(rng);
	pair->tfm[0] = (struct tfm){ .driver = alg->driver, .ours = true };
	pair->tfm[1] = (struct tfm){ .driver = alg->generic };
	tfm_open(&pair->tfm[0], pair);
	tfm_open(&pair->tfm[1], pair);
}

/** pair_close - give back what the kernel has of it */
void pair_close(struct pair *pair)
{
	kcapi_aead_destroy(pair->tfm[0].handle);
	kcapi_aead_destroy(pair->tfm[1].handle);
}

/** pair_reopen - the same again, with the key that the pair has by now */
void pair_reopen(struct pair *pair)
{
	pair_close(pair);
	tfm_open(&pair->tfm[0], pair);
	tfm_open(&pair->tfm[1], pair);
}

/** pair_dup - another socket of the same transforms, for another thread */
void pair_dup(struct pair *pair, const struct pair *from)
{
	int i, ret;

	alloc_buffers();
	*pair = *from;
	for (i = 0; i < 2; i++) {
		ret = kcapi_handle_reinit(&pair->tfm[i].handle,
					  from->tfm[i].handle, from->flags);
		if (ret)
			errx(1, "another socket: %s", strerror(-ret));
	}
}

/* -- Ways to hand a message to the kernel --------------------------------- */

static ssize_t one_call(struct tfm *tfm, enum op op, const struct message *m,
			size_t in_len, uint8_t *out, size_t out_len, int access)
{
	if (op == ENCRYPT)
		return kcapi_aead_encrypt(tfm->handle, in_buf, in_len, m->iv,
					  out, out_len, access);
	return kcapi_aead_decrypt(tfm->handle, in_buf, in_len, m->iv, out,
				  out_len, access);
}

static ssize_t way_one_shot(struct tfm *tfm, enum op op,
			    const struct message *m, size_t in_len,
			    size_t out_len)
{
	return one_call(tfm, op, m, in_len, out_buf, out_len,
			KCAPI_ACCESS_SENDMSG);
}

static ssize_t way_spliced(struct tfm *tfm, enum op op,
			   const struct message *m, size_t in_len,
			   size_t out_len)
{
	return one_call(tfm, op, m, in_len, out_buf, out_len,
			KCAPI_ACCESS_VMSPLICE);
}

/* vmsplice() hands over our pages, not a copy: source and destination are one. */
static ssize_t way_in_place(struct tfm *tfm, enum op op,
			    const struct message *m, size_t in_len,
			    size_t out_len)
{
	ssize_t ret = one_call(tfm, op, m, in_len, in_buf, out_len,
			       KCAPI_ACCESS_VMSPLICE);

	memcpy(out_buf, in_buf, out_len);
	return ret;
}

/* Cuts a buffer into pieces of any size, many of them tiny. */
static size_t cut(uint8_t *buf, size_t len, struct iovec iov[MAX_PIECES],
		  uint64_t *rng)
{
	size_t nr = 0;

	while (len) {
		size_t piece = len, most = random_below(rng, 2) ? len : 33;

		if (nr < MAX_PIECES - 1)
			piece = 1 + random_below(rng, most < len ? most : len);
		iov[nr].iov_base = buf;
		iov[nr++].iov_len = piece;
		buf += piece;
		len -= piece;
	}
	return nr;
}

static ssize_t receive_cut(struct tfm *tfm, size_t out_len, uint64_t *rng)
{
	struct iovec iov[MAX_PIECES];

	return kcapi_aead_stream_op(tfm->handle, iov,
				    cut(out_buf, out_len, iov, rng));
}

static ssize_t stream_init(struct tfm *tfm, enum op op,
			   const struct message *m, struct iovec *iov,
			   size_t nr)
{
	if (op == ENCRYPT)
		return kcapi_aead_stream_init_enc(tfm->handle, m->iv, iov, nr);
	return kcapi_aead_stream_init_dec(tfm->handle, m->iv, iov, nr);
}

/* Buffers of many pieces on both sides, one system call each */
static ssize_t way_split(struct tfm *tfm, enum op op, const struct message *m,
			 size_t in_len, size_t out_len)
{
	uint64_t rng = in_len ^ op;
	struct iovec iov[MAX_PIECES];
	size_t nr = cut(in_buf, in_len, iov, &rng);
	ssize_t ret = stream_init(tfm, op, m, NULL, 0);

	if (ret >= 0)
		ret = kcapi_aead_stream_update_last(tfm->handle, iov, nr);
	return ret < 0 ? ret : receive_cut(tfm, out_len, &rng);
}

/* A system call for each piece */
static ssize_t way_streamed(struct tfm *tfm, enum op op,
			    const struct message *m, size_t in_len,
			    size_t out_len)
{
	uint64_t rng = in_len ^ op;
	struct iovec iov[MAX_PIECES];
	size_t i, nr = cut(in_buf, in_len, iov, &rng);
	ssize_t ret = stream_init(tfm, op, m, iov, 1);

	for (i = 1; ret >= 0 && i + 1 < nr; i++)
		ret = kcapi_aead_stream_update(tfm->handle, &iov[i], 1);
	if (ret >= 0)
		ret = kcapi_aead_stream_update_last(tfm->handle, &iov[i],
						    nr > 1);
	return ret < 0 ? ret : receive_cut(tfm, out_len, &rng);
}

/* By io_submit(), of which AF_ALG lets one be in flight for each socket */
static ssize_t way_asynchronous(struct tfm *tfm, enum op op,
				const struct message *m, size_t in_len,
				size_t out_len)
{
	struct iovec in = { in_buf, in_len };
	struct iovec out = { out_buf, out_len };

	if (op == ENCRYPT)
		return kcapi_aead_encrypt_aio(tfm->handle, &in, &out, 1, m->iv,
					      KCAPI_ACCESS_SENDMSG);
	return kcapi_aead_decrypt_aio(tfm->handle, &in, &out, 1, m->iv,
				      KCAPI_ACCESS_SENDMSG);
}

const struct way ways[NR_WAYS] = {
	{ "one-shot", 0, way_one_shot },
	{ "spliced", 0, way_spliced },
	{ "in-place", 0, way_in_place },
	{ "split", 0, way_split },
	{ "streamed", 0, way_streamed },
	{ "asynchronous", KCAPI_INIT_AIO, way_asynchronous },
};

/* -- One message ---------------------------------------------------------- */

/** pair_message - a new message, and what has to become of it */
void pair_message(struct pair *pair, size_t aad_len, size_t len)
{
	struct message *m = &pair->m;

	m->aad_len = aad_len;
	m->len = len;
	random_fill(&pair->rng, m->iv, pair->alg->iv_len);
	random_fill(&pair->rng, m->plain, aad_len + len);
	pair->alg->encrypt(pair->key, pair->key_len, m);
}

/**
 * pair_transmit - hand the pair's message to one implementation
 *
 * Return: bytes in out_buf, AAD included, or a negative errno.
 */
ssize_t pair_transmit(struct pair *pair, struct tfm *tfm, enum op op,
		      const struct way *way)
{
	const struct message *m = &pair->m;
	size_t clear = m->aad_len + m->len, whole = clear + m->icv_len;

	if (tfm->ours && pair->alg->offloadable(m->aad_len, m->len))
		offloadable[op]++;
	kcapi_aead_setassoclen(tfm->handle, m->aad_len);
	memset(out_buf, 0xa5, whole);
	if (op == ENCRYPT) {
		memcpy(in_buf, m->plain, clear);
		return way->send(tfm, op, m, clear, whole);
	}
	memcpy(in_buf, m->cipher, whole);
	return way->send(tfm, op, m, whole, clear);
}

static void say_and_fail(const struct pair *pair, const struct tfm *tfm,
			 enum op op, const char *how, const char *what)
{
	errx(1, "%s, %s, %s: key %zu, AAD %zu, payload %zu, ICV %zu bytes: %s",
	     tfm->driver, op == ENCRYPT ? "encrypt" : "decrypt", how,
	     pair->key_len, pair->m.aad_len, pair->m.len, pair->m.icv_len,
	     what);
}

/* That out_buf holds what libcrypto has made of the message */
static void expect(const struct pair *pair, const struct tfm *tfm, enum op op,
		   const char *how, ssize_t ret)
{
	const struct message *m = &pair->m;
	const uint8_t *wanted = op == ENCRYPT ? m->cipher : m->plain;
	ssize_t len = m->aad_len + m->len + (op == ENCRYPT ? m->icv_len : 0);
	char what[80];
	ssize_t i;

	if (ret != len) {
		snprintf(what, sizeof(what), "wanted %zd bytes, got %zd (%s)",
			 len, ret, ret < 0 ? strerror(-ret) : "no error");
		say_and_fail(pair, tfm, op, how, what);
	}
	if (memcmp(out_buf, wanted, len) == 0)
		return;
	for (i = 0; out_buf[i] == wanted[i]; i++)
		;
	snprintf(what, sizeof(what),
		 "libcrypto's result differs from byte %zd on", i);
	say_and_fail(pair, tfm, op, how, what);
}

/** pair_check - the pair's message, both directions, both implementations */
void pair_check(struct pair *pair, const struct way *way)
{
	int i, op;

	for (i = 0; i < 2; i++)
		for (op = ENCRYPT; op <= DECRYPT; op++)
			expect(pair, &pair->tfm[i], op, way->name,
			       pair_transmit(pair, &pair->tfm[i], op, way));
}
