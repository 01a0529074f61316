// SPDX-License-Identifier: GPL-2.0-only
/*
 * wavecrypt_test: one request, from the drawing of it to the comparison
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "test.h"

/* Bytes of the destination behind the result that are not to be touched */
#define MARGIN		40
#define LONGEST		65536
/* What the destination holds at first */
#define UNTOUCHED	0xa5

static const char * const place_names[TEST_PLACES] = {
	[TEST_IN_PLACE]		= "in place",
	[TEST_TWO_LISTS]	= "in place by two lists",
	[TEST_ELSEWHERE]	= "out of place",
};

static const char * const harm_names[TEST_HARMS] = {
	[TEST_UNHARMED]		= "unharmed",
	[TEST_BAD_ICV]		= "with a bad ICV",
	[TEST_BAD_TEXT]		= "with a bad payload",
	[TEST_BAD_AAD]		= "with bad AAD",
	[TEST_BAD_IV]		= "with a bad IV",
	[TEST_CUT]		= "cut short",
	[TEST_NOTHING_LEFT]	= "shorter than its ICV",
};

/**
 * test_describe - say what a case is, so that a reader can make it himself
 * @c: the case
 */
void test_describe(const struct test_case *c)
{
	pr_err("seed %llu, worker %u, number %u: %s, %scrypt, key of %u bytes, ICV of %u, AAD of %u, %u bytes, %s, %u pieces to %u, %s\n",
	       test_setup.seed, test_worker_id(c->worker), c->number, c->sa->alg->name,
	       c->decrypt ? "de" : "en", c->sa->key_len, c->authsize,
	       c->assoclen, c->cryptlen, place_names[c->place], c->src.nr,
	       c->dst.nr, harm_names[c->harm]);
}

/* The sizes that there are, and those where something changes */
static unsigned int draw_length(struct test_rand *rand, unsigned int block)
{
	static const u32 edges[] = { 32, 64, 448, 1536, 4096, 10112 };
	unsigned int len;

	switch (test_below(rand, 32)) {
	case 0 ... 3:
		len = test_below(rand, 65);
		break;
	case 4 ... 19:
		len = test_below(rand, 1500);
		break;
	case 20 ... 25:
		len = edges[test_below(rand, ARRAY_SIZE(edges))] +
		      test_below(rand, 5) * block - 2 * block;
		break;
	case 26 ... 30:
		len = test_below(rand, 4096);
		break;
	default:
		len = test_below(rand, test_once_in(rand, 4) ? LONGEST + 1 : 12000);
		break;
	}
	if (!test_once_in(rand, 16))
		len -= len % block;
	return len;
}

static unsigned int draw_aad(struct test_rand *rand, const struct test_alg *alg)
{
	if (test_once_in(rand, 12))
		return test_below(rand, 100);
	return alg->aad[test_below(rand, strlen(alg->aad))];
}

/* The reference, on memory in one piece */
static int reference(const struct test_case *c, bool decrypt, u8 *from, u8 *to,
		     unsigned int from_len, unsigned int to_len)
{
	struct aead_request *req = aead_request_alloc(c->sa->ref, GFP_KERNEL);
	struct scatterlist src, dst;
	u8 iv[TEST_MAX_IV];
	int err;

	if (!req)
		return -ENOMEM;
	memcpy(iv, c->iv, c->sa->alg->ivsize);
	sg_init_one(&src, from, from_len);
	sg_init_one(&dst, to, to_len);
	aead_request_set_callback(req, CRYPTO_TFM_REQ_MAY_SLEEP, NULL, NULL);
	aead_request_set_ad(req, c->assoclen);
	aead_request_set_crypt(req, &src, from == to ? &src : &dst, c->cryptlen, iv);
	err = decrypt ? crypto_aead_decrypt(req) : crypto_aead_encrypt(req);
	aead_request_free(req);
	return err;
}

/* A packet is made of what is in c->in and then, perhaps, spoilt. */
static int make_packet(struct test_case *c, struct test_rand *rand,
		       unsigned int in_len)
{
	unsigned int bit, text = c->cryptlen;
	u8 *in = c->in;
	int err;

	err = reference(c, false, in, in, in_len, in_len);
	if (err == -ENOMEM)
		return err;
	/* Otherwise it was refused, and what is there is as good as any. */
	c->cryptlen += c->authsize;

	bit = 1U << test_below(rand, 8);
	if (test_once_in(rand, 4))
		c->harm = test_below(rand, TEST_HARMS);
	switch (c->harm) {
	case TEST_BAD_ICV:
		in[c->assoclen + text + test_below(rand, c->authsize)] ^= bit;
		break;
	case TEST_BAD_TEXT:
		if (text)
			in[c->assoclen + test_below(rand, text)] ^= bit;
		break;
	case TEST_BAD_AAD:
		if (c->assoclen)
			in[test_below(rand, c->assoclen)] ^= bit;
		break;
	case TEST_BAD_IV:
		if (c->sa->alg->ivsize)
			c->iv[test_below(rand, c->sa->alg->ivsize)] ^= bit;
		break;
	case TEST_CUT:
		c->cryptlen -= test_below(rand, min(c->cryptlen, 40U) + 1);
		break;
	case TEST_NOTHING_LEFT:
		c->cryptlen = test_below(rand, c->authsize);
		break;
	default:
		break;
	}
	return 0;
}

/* How long the result is, if there is one */
static unsigned int result_len(const struct test_case *c)
{
	if (!c->decrypt)
		return c->assoclen + c->cryptlen + c->authsize;
	return c->assoclen + c->cryptlen - min(c->cryptlen, c->authsize);
}

/**
 * test_case_draw - make up a request, and find out what should come of it
 * @c: the case, with @worker, @number and @sa
 * @rand: randomness of its own
 *
 * Return: 0, or -ENOMEM, with test_case_drop() to be called in either case.
 */
int test_case_draw(struct test_case *c, struct test_rand *rand)
{
	const struct test_alg *alg = c->sa->alg;
	unsigned int in_len, in_size, want_len, off = test_below(rand, 17);
	int err;

	c->decrypt = test_once_in(rand, 2);
	c->place = test_below(rand, TEST_PLACES);
	if (alg->esn && c->place == TEST_TWO_LISTS)
		c->place = TEST_IN_PLACE;
	c->harm = TEST_UNHARMED;
	c->authsize = c->sa->authsize;
	c->assoclen = draw_aad(rand, alg);
	c->cryptlen = draw_length(rand, alg->block);
	c->flags = test_once_in(rand, 2) ? CRYPTO_TFM_REQ_MAY_BACKLOG : 0;
	if (c->sa->kind == TEST_TASK && test_once_in(rand, 2))
		c->flags |= CRYPTO_TFM_REQ_MAY_SLEEP;
	c->no_simd = c->sa->kind != TEST_TASK && test_once_in(rand, 8);

	in_size = c->assoclen + c->cryptlen + c->authsize + MARGIN;
	c->in = kmalloc(in_size, GFP_KERNEL | __GFP_NOWARN);
	c->want = kmalloc(in_size, GFP_KERNEL | __GFP_NOWARN);
	c->iv_mem = kmalloc(off + alg->ivsize, GFP_KERNEL | __GFP_NOWARN);
	if (!c->in || !c->want || !c->iv_mem)
		return -ENOMEM;
	c->iv = c->iv_mem + off;
	test_rand_bytes(rand, c->iv, alg->ivsize);
	test_rand_bytes(rand, c->in, in_size);
	if (c->decrypt) {
		err = make_packet(c, rand, in_size);
		if (err)
			return err;
	}

	/* The source ends where it has to, or holds the result as well. */
	in_len = c->assoclen + c->cryptlen;
	want_len = result_len(c) + test_below(rand, MARGIN);
	if (c->place == TEST_ELSEWHERE) {
		memset(c->want, UNTOUCHED, want_len);
	} else {
		in_len = max(in_len, want_len);
		want_len = in_len;
		memcpy(c->want, c->in, want_len);
	}
	c->want_err = reference(c, c->decrypt,
				c->place == TEST_ELSEWHERE ? c->in : c->want,
				c->want, in_len, want_len);
	if (c->want_err == -ENOMEM)
		return c->want_err;

	err = test_mem_make(&c->src, in_len, rand);
	if (err)
		return err;
	test_mem_write(&c->src, c->in);
	if (c->place == TEST_TWO_LISTS)
		test_mem_list(&c->dst, &c->src, rand);
	if (c->place != TEST_ELSEWHERE)
		return 0;
	err = test_mem_make(&c->dst, want_len, rand);
	if (!err)
		test_mem_fill(&c->dst, UNTOUCHED);
	return err;
}

static struct scatterlist *source(const struct test_case *c)
{
	return (struct scatterlist *)c->src.sg[0];
}

static struct scatterlist *destination(const struct test_case *c)
{
	return c->place == TEST_IN_PLACE ? source(c) :
					   (struct scatterlist *)c->dst.sg[0];
}

/**
 * test_case_request - fill in a request
 * @c: the case
 * @req: its request
 * @done: the callback
 */
void test_case_request(struct test_case *c, struct aead_request *req,
		       crypto_completion_t done)
{
	c->req = req;
	aead_request_set_callback(req, c->flags, done, c);
	aead_request_set_ad(req, c->assoclen);
	aead_request_set_crypt(req, source(c), destination(c), c->cryptlen, c->iv);
}

/**
 * test_case_ordered - whether it has to keep its place
 * @c: the case
 *
 * The crypto API itself refuses some before the module sees them.
 */
bool test_case_ordered(const struct test_case *c)
{
	return c->want_err != -ENOKEY &&
	       !(c->decrypt && c->cryptlen < c->authsize);
}

/**
 * test_case_changed - what was changed in a request that has completed
 * @c: the case
 * @done: the callback
 *
 * Return: a name, or NULL.
 */
const char *test_case_changed(const struct test_case *c,
			      crypto_completion_t done)
{
	const struct aead_request *req = c->req;

	if (req->base.tfm != crypto_aead_tfm(c->sa->tfm))
		return "the request's transform was changed";
	if (req->base.complete != done || req->base.data != c)
		return "the request's callback was changed";
	if (req->base.flags != c->flags)
		return "the request's flags were changed";
	if (req->assoclen != c->assoclen || req->cryptlen != c->cryptlen)
		return "the request's lengths were changed";
	if (req->iv != c->iv)
		return "the request's pointer to the IV was changed";
	if (req->src != source(c) || req->dst != destination(c))
		return "the request's scatterlists were changed";
	return NULL;
}

static bool check_memory(const struct test_case *c, const char *name,
			 const struct test_mem *mem, const u8 *want,
			 unsigned int begin, unsigned int end)
{
	unsigned int piece;
	u8 found;
	int at;

	if (!test_mem_guarded(mem, &piece)) {
		if (test_fail()) {
			pr_err("the %s was written to around its piece %u\n", name, piece);
			test_describe(c);
		}
		return false;
	}
	at = test_mem_differs(mem, want, begin, end, &found);
	if (at < 0)
		return true;
	if (test_fail()) {
		pr_err("byte %d of the %s: wanted %02x, got %02x\n", at, name,
		       want[at], found);
		test_describe(c);
	}
	return false;
}

/* Bytes of an ICV that was checked where the generic implementation may leave
 * something else: the high half of the sequence number.
 */
static unsigned int left_over(const struct test_case *c)
{
	if (!c->sa->alg->esn || !c->decrypt || c->place == TEST_ELSEWHERE)
		return 0;
	return min(c->authsize, 4U);
}

/**
 * test_case_check - whether a request that has completed did what it should
 * @c: the case
 *
 * Otherwise it is told, if it is the first one.
 */
bool test_case_check(const struct test_case *c)
{
	const struct test_mem *dst = c->place == TEST_ELSEWHERE ? &c->dst : &c->src;
	unsigned int result_end = c->assoclen + c->cryptlen;

	if (c->wrong) {
		if (test_fail()) {
			pr_err("%s\n", c->wrong);
			test_describe(c);
		}
		return false;
	}
	/* Where memory is made to fail, the module fails as others would. */
	if (c->err == -ENOMEM) {
		atomic_inc(&test_tally.no_memory);
	} else if (c->err != c->want_err) {
		if (test_fail()) {
			pr_err("wanted result %d, got %d\n", c->want_err, c->err);
			test_describe(c);
		}
		return false;
	}
	if (c->place == TEST_ELSEWHERE &&
	    !check_memory(c, "source", &c->src, c->in, 0, c->src.len))
		return false;
	if (c->decrypt)
		result_end -= min(c->cryptlen, c->authsize);
	if (!c->err && !check_memory(c, "destination", dst, c->want, 0, result_end))
		return false;

	/* What is left of a packet that failed is anybody's guess. */
	result_end += c->err ? c->authsize : left_over(c);
	return check_memory(c, "destination", dst, c->want,
			    min(result_end, dst->len), dst->len);
}

/** test_case_drop - give back what it takes */
void test_case_drop(struct test_case *c)
{
	test_mem_free(&c->src);
	test_mem_free(&c->dst);
	kfree(c->in);
	kfree(c->want);
	kfree(c->iv_mem);
	c->in = NULL;
	c->want = NULL;
	c->iv_mem = NULL;
}
