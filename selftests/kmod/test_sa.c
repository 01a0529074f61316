// SPDX-License-Identifier: GPL-2.0-only
/*
 * wavecrypt_test: an SA: a transform under test and its reference, their key,
 * and the order of its requests
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <crypto/authenc.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/version.h>

#include "test.h"

static unsigned int aes_length(struct test_rand *rand, bool good)
{
	static const u8 bad[] = { 0, 1, 8, 15, 17, 20, 31, 33, 48 };

	return good ? 16 + 8 * test_below(rand, 3) :
		      bad[test_below(rand, ARRAY_SIZE(bad))];
}

/* With RFC 3686's nonce behind it */
static unsigned int ctr_length(struct test_rand *rand, bool good)
{
	return aes_length(rand, good) + (good || test_once_in(rand, 2) ? 4 : 0);
}

static unsigned int null_length(struct test_rand *rand, bool good)
{
	return good ? 0 : test_below(rand, 33);
}

static unsigned int authenc_key(const struct test_alg *alg,
				struct test_rand *rand, u8 *key, bool good)
{
	static const u8 usual[] = { 20, 20, 32, 48, 64, 16 };
	struct crypto_authenc_key_param *param;
	struct rtattr *rta = (struct rtattr *)key;
	unsigned int auth_len = usual[test_below(rand, ARRAY_SIZE(usual))];
	unsigned int aes_len = alg->cipher(rand, good || test_once_in(rand, 2));
	unsigned int len;

	/* HMAC takes any length, and hashes a long one first. */
	if (test_once_in(rand, 6))
		auth_len = test_below(rand, 140);
	len = RTA_SPACE(sizeof(*param)) + auth_len + aes_len;
	test_rand_bytes(rand, key, len);
	param = RTA_DATA(rta);
	rta->rta_len = RTA_LENGTH(sizeof(*param));
	rta->rta_type = CRYPTO_AUTHENC_KEYA_PARAM;
	param->enckeylen = cpu_to_be32(aes_len);
	if (good)
		return len;

	switch (test_below(rand, 7)) {
	case 0:
		rta->rta_type = test_below(rand, 4);
		break;
	case 1:
		rta->rta_len = test_below(rand, 2 * len);
		break;
	case 2:
		param->enckeylen = cpu_to_be32(len + test_below(rand, 3));
		break;
	case 3:
		param->enckeylen = cpu_to_be32(test_rand_next(rand));
		break;
	case 4:
		len = test_below(rand, len);
		break;
	case 5:
		len += test_below(rand, 20);
		break;
	}
	return len;
}

/* A key and a nonce, and nothing else */
static unsigned int salted_key(const struct test_alg *alg,
			       struct test_rand *rand, u8 *key, bool good)
{
	unsigned int len = alg->cipher(rand, good) + 4;

	if (!good && test_once_in(rand, 4))
		len = test_below(rand, 8);
	test_rand_bytes(rand, key, len);
	return len;
}

static unsigned int chacha20_length(struct test_rand *rand, bool good)
{
	return good ? 32 : test_below(rand, 64);
}

/* To ask for what a kernel has not is to start modprobe, again and again. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(7, 0, 0)
#define AES		"aes-generic"
#define HMAC(hash)	"hmac(" hash "-generic)"
#define GHASH		"ghash-generic"
#define CHACHA20	"chacha20-generic"
#else
#define AES		"aes-lib"
#define HMAC(hash)	"hmac-" hash "-lib"
#define GHASH		"ghash-lib"
#define CHACHA20	"chacha20-lib"
#endif

#define AUTHENC_AAD	{ 8, 24, 8, 24, 12, 28 }
#define ESN_AAD		{ 12, 28, 12, 28, 8, 11, 64 }

#define AUTHENC(template, sn, hash, called, driver, ...)		\
	{								\
		.name = template "(hmac(" hash ")," called ")",		\
		.generic = template "(" HMAC(hash) "," driver ")",	\
		.aad = sn##_AAD,					\
		.key = authenc_key,					\
		__VA_ARGS__						\
	}

/* Both forms. That of extended sequence numbers is none for memory that goes in and
 * comes out by different lists, and leaves a word of its own where the ICV was.
 */
#define BOTH(hash, called, driver, ...)					\
	AUTHENC("authenc", AUTHENC, hash, called, driver, __VA_ARGS__),	\
	AUTHENC("authencesn", ESN, hash, called, driver, .esn = true,	\
		__VA_ARGS__)

#define CBC(hash, ...)							\
	BOTH(hash, "cbc(aes)", "cbc(" AES ")", .ivsize = 16, .block = 16,	\
	     .cipher = aes_length, .authsizes = { __VA_ARGS__ })
#define CTR(hash, ...)							\
	BOTH(hash, "rfc3686(ctr(aes))", "rfc3686(ctr(" AES "))",	\
	     .ivsize = 8, .block = 1,					\
	     .cipher = ctr_length, .authsizes = { __VA_ARGS__ })
#define PLAIN(hash, ...)						\
	BOTH(hash, "ecb(cipher_null)", "ecb-cipher_null", .ivsize = 0, .block = 1,	\
	     .cipher = null_length, .authsizes = { __VA_ARGS__ })

/* Those that every kernel has come first. */
static const struct test_alg test_algs[TEST_ALGS] = {
	AUTHENC("authenc", AUTHENC, "sha1", "cbc(aes)", "cbc(" AES ")", .ivsize = 16,
		.block = 16, .cipher = aes_length,
		.authsizes = { 12, 16, 20, 1, 4, 19 }),
	{
		.name = "rfc4106(gcm(aes))",
		.generic = "rfc4106(gcm_base(ctr(" AES ")," GHASH "))",
		.ivsize = 8,
		.block = 1,
		.authsizes = { 16, 16, 12, 8 },
		.aad = { 16, 20 },
		.cipher = aes_length,
		.key = salted_key,
	},
	CBC("sha256", 16, 12, 32, 16, 4, 31),
	CBC("sha384", 24, 12, 48, 24, 5, 47),
	CBC("sha512", 32, 12, 64, 32, 6, 63),
	AUTHENC("authencesn", ESN, "sha1", "cbc(aes)", "cbc(" AES ")", .esn = true,
		.ivsize = 16, .block = 16, .cipher = aes_length,
		.authsizes = { 12, 16, 20, 4, 19 }),
	CTR("sha1", 12, 20, 12, 4, 19),
	CTR("sha256", 16, 32, 16, 4, 31),
	CTR("sha384", 24, 48, 24, 5, 47),
	CTR("sha512", 32, 64, 32, 6, 63),
	PLAIN("sha1", 12, 20, 12, 4, 19),
	PLAIN("sha256", 16, 32, 16, 4, 31),
	PLAIN("sha384", 24, 48, 24, 5, 47),
	PLAIN("sha512", 32, 64, 32, 6, 63),
	{
		.name = "authenc(digest_null,cbc(aes))",
		.generic = "authenc(digest_null-generic,cbc(" AES "))",
		.ivsize = 16,
		.block = 16,
		.aad = AUTHENC_AAD,
		.cipher = aes_length,
		.key = authenc_key,
	}, {
		.name = "rfc7539esp(chacha20,poly1305)",
		.generic = "rfc7539esp(" CHACHA20 ",poly1305-generic)",
		.ivsize = 8,
		.block = 1,
		.authsizes = { 16 },
		.aad = { 16, 20, 16, 20, 12, 8 },
		.cipher = chacha20_length,
		.key = salted_key,
	},
};

/* Those of them that this kernel has, and how many */
static const struct test_alg *here[TEST_ALGS];
static u32 nr_here;

/** test_alg_of - one of them, for any number */
const struct test_alg *test_alg_of(u32 number)
{
	return here[number % nr_here];
}

/* 0 if the list is empty */
static unsigned int one_of(struct test_rand *rand, const u8 *list)
{
	return list[test_below(rand, strlen(list))];
}

static int alloc_reference(struct test_sa *sa)
{
	sa->ref = crypto_alloc_aead(sa->alg->generic, 0, CRYPTO_ALG_ASYNC);
	return PTR_ERR_OR_ZERO(sa->ref);
}

/**
 * test_algs_find - find out what can be tested
 *
 * Return: how many algorithms.
 */
u32 test_algs_find(void)
{
	struct test_sa sa = { };
	u32 i;

	nr_here = 0;
	for (i = 0; i < TEST_ALGS && nr_here < test_setup.algs; i++) {
		sa.alg = &test_algs[i];
		if (alloc_reference(&sa) == -ENOENT)
			continue;
		if (!IS_ERR(sa.ref))
			crypto_free_aead(sa.ref);
		here[nr_here++] = sa.alg;
	}
	return nr_here;
}

static int alloc_tested(struct test_sa *sa)
{
	const char *driver;

	sa->tfm = crypto_alloc_aead(sa->alg->name, 0, 0);
	if (IS_ERR(sa->tfm))
		return PTR_ERR(sa->tfm);
	driver = crypto_tfm_alg_driver_name(crypto_aead_tfm(sa->tfm));
	if (strstr(driver, test_setup.driver))
		return 0;
	pr_err("%s is %s here, not %s\n", sa->alg->name, driver, test_setup.driver);
	return -ENOENT;
}

/* The same key, good or bad, for both, which have to agree on it. */
static bool set_key(struct test_sa *sa, struct test_rand *rand, bool good)
{
	u8 key[TEST_MAX_KEY];
	int err, want;

	sa->key_len = sa->alg->key(sa->alg, rand, key, good);
	want = crypto_aead_setkey(sa->ref, key, sa->key_len);
	err = crypto_aead_setkey(sa->tfm, key, sa->key_len);
	memzero_explicit(key, sizeof(key));
	/* Memory may be short for either. */
	if (err != want && err != -ENOMEM && want != -ENOMEM && test_fail())
		pr_err("%s: setting a key of %u bytes: wanted %d, got %d\n",
		       sa->alg->name, sa->key_len, want, err);
	atomic_inc(&test_tally.keys);
	if (err)
		atomic_inc(&test_tally.bad_keys);
	return !err && !want;
}

static void set_authsize(struct test_sa *sa, unsigned int size)
{
	int err, want;

	want = crypto_aead_setauthsize(sa->ref, size);
	err = crypto_aead_setauthsize(sa->tfm, size);
	if (err != want && test_fail())
		pr_err("%s: setting an ICV of %u bytes: wanted %d, got %d\n",
		       sa->alg->name, size, want, err);
	atomic_inc(&test_tally.keys);
	if (err)
		atomic_inc(&test_tally.bad_keys);
	sa->authsize = crypto_aead_authsize(sa->ref);
}

/* Maybe after some bad ones */
static int set_good_key(struct test_sa *sa, struct test_rand *rand)
{
	while (test_once_in(rand, 3))
		set_key(sa, rand, false);
	return set_key(sa, rand, true) ? 0 : -ENOMEM;
}

static bool all_back(struct test_sa *sa)
{
	bool back;

	spin_lock_bh(&sa->lock);
	back = sa->completed == sa->expected;
	spin_unlock_bh(&sa->lock);
	return back;
}

/**
 * test_sa_change - another key; at times an SA of its own
 * @sa: one that is idle
 * @rand: what to do
 *
 * Now and then the last key tried is a bad one, and requests have to fail.
 *
 * Return: 0, or an error that has to do with memory only.
 */
int test_sa_change(struct test_sa *sa, struct test_rand *rand)
{
	int err;

	if (sa->tfm && test_once_in(rand, 3)) {
		crypto_free_aead(sa->tfm);
		sa->tfm = NULL;
	}
	if (!sa->tfm) {
		err = alloc_tested(sa);
		if (err) {
			sa->tfm = NULL;
			return err;
		}
	}
	sa->expected = 0;
	sa->completed = 0;
	memset(sa->turn, 0, nr_cpu_ids * sizeof(*sa->turn));
	sa->doomed = false;
	set_authsize(sa, one_of(rand, sa->alg->authsizes));
	if (test_once_in(rand, 2))
		set_authsize(sa, test_below(rand, 72));
	if (test_once_in(rand, 30)) {
		while (set_key(sa, rand, false))
			;
		return 0;
	}
	return set_good_key(sa, rand);
}

/**
 * test_sa_rekey - another key, in the middle of its work
 * @sa: one whose requests have all been submitted, whether they are back or not
 * @rand: the key
 *
 * Those that are on their way are to end with the key that they have.
 *
 * Return: as test_sa_change().
 */
int test_sa_rekey(struct test_sa *sa, struct test_rand *rand)
{
	bool busy = !all_back(sa);
	int err = set_good_key(sa, rand);

	if (busy)
		atomic_inc(&test_tally.rekeyed);
	if (!all_back(sa) && test_fail())
		pr_err("%s: a key was set while requests were in flight\n",
		       sa->alg->name);
	return err;
}

/**
 * test_sa_init - an SA with a key
 * @sa: the SA
 * @alg: its algorithm
 * @kind: who submits
 * @rand: its key
 */
int test_sa_init(struct test_sa *sa, const struct test_alg *alg,
		 enum test_kind kind, struct test_rand *rand)
{
	int err;

	sa->alg = alg;
	sa->kind = kind;
	sa->tfm = NULL;
	spin_lock_init(&sa->submit);
	spin_lock_init(&sa->lock);
	sa->ref = NULL;
	sa->turn = kcalloc(nr_cpu_ids, sizeof(*sa->turn), GFP_KERNEL);
	if (!sa->turn)
		return -ENOMEM;
	err = alloc_reference(sa);
	if (err) {
		pr_err("%s: no generic implementation: %d\n", alg->name, err);
		sa->ref = NULL;
		return err;
	}
	do {
		err = test_sa_change(sa, rand);
	} while (!err && kind == TEST_SHARED &&
		 (crypto_aead_get_flags(sa->ref) & CRYPTO_TFM_NEED_KEY));
	return err;
}

/* The transform goes, as an SA's does, while somebody may still be on his way
 * back from its last callback.
 */
static void let_go(struct test_sa *sa)
{
	crypto_free_aead(sa->tfm);
	sa->tfm = NULL;
	atomic_inc(&test_tally.transforms);
}

/**
 * test_sa_doom - let the transform go with its last request
 * @sa: the SA, of which nothing more will be expected
 */
void test_sa_doom(struct test_sa *sa)
{
	bool idle;

	spin_lock_bh(&sa->lock);
	idle = sa->completed == sa->expected;
	sa->doomed = !idle;
	spin_unlock_bh(&sa->lock);
	if (idle)
		let_go(sa);
}

/** test_sa_expect - there will be one more request */
void test_sa_expect(struct test_sa *sa)
{
	spin_lock_bh(&sa->lock);
	sa->expected++;
	spin_unlock_bh(&sa->lock);
}

/** test_sa_enter - the number of a CPU's next request, in the order of submission */
u32 test_sa_enter(struct test_sa *sa, unsigned int cpu)
{
	u32 number;

	spin_lock_bh(&sa->lock);
	number = sa->turn[cpu].entered++;
	spin_unlock_bh(&sa->lock);
	return number;
}

/** test_sa_pending - how many of a CPU's requests have not come back */
u32 test_sa_pending(struct test_sa *sa, unsigned int cpu)
{
	u32 nr;

	spin_lock_bh(&sa->lock);
	nr = sa->turn[cpu].entered - sa->turn[cpu].left;
	spin_unlock_bh(&sa->lock);
	return nr;
}

/**
 * test_sa_leave - a request has completed
 * @sa: its SA
 * @cpu: where it was submitted
 * @ordered: whether it has a number
 * @number: which, if so
 *
 * Return: whether it was its turn.
 */
bool test_sa_leave(struct test_sa *sa, unsigned int cpu, bool ordered, u32 number)
{
	bool turn = true, last;

	spin_lock_bh(&sa->lock);
	sa->completed++;
	if (ordered)
		turn = number == sa->turn[cpu].left++;
	last = sa->doomed && sa->completed == sa->expected;
	spin_unlock_bh(&sa->lock);
	if (last)
		let_go(sa);
	return turn;
}

/** test_sa_exit - an idle SA goes, or what there is of it */
void test_sa_exit(struct test_sa *sa)
{
	if (sa->tfm)
		crypto_free_aead(sa->tfm);
	if (sa->ref)
		crypto_free_aead(sa->ref);
	kfree(sa->turn);
}
