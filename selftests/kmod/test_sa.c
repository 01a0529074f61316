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

#include "test.h"

static unsigned int aes_length(struct test_rand *rand, bool good)
{
	static const u8 bad[] = { 0, 1, 8, 15, 17, 20, 31, 33, 48 };

	return good ? 16 + 8 * test_below(rand, 3) :
		      bad[test_below(rand, ARRAY_SIZE(bad))];
}

static unsigned int authenc_key(struct test_rand *rand, u8 *key, bool good)
{
	static const u8 usual[] = { 20, 20, 20, 16, 32, 64 };
	struct crypto_authenc_key_param *param;
	struct rtattr *rta = (struct rtattr *)key;
	unsigned int auth_len = usual[test_below(rand, ARRAY_SIZE(usual))];
	unsigned int aes_len = aes_length(rand, good || test_once_in(rand, 2));
	unsigned int len;

	/* HMAC takes any length, and hashes a long one first. */
	if (test_once_in(rand, 6))
		auth_len = test_below(rand, 130);
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

static unsigned int rfc4106_key(struct test_rand *rand, u8 *key, bool good)
{
	unsigned int len = aes_length(rand, good) + 4;

	if (!good && test_once_in(rand, 4))
		len = test_below(rand, 8);
	test_rand_bytes(rand, key, len);
	return len;
}

const struct test_alg test_algs[TEST_ALGS] = {
	{
		.name = "authenc(hmac(sha1),cbc(aes))",
		.generic = {
			"authenc(hmac(sha1-generic),cbc(aes-generic))",
			"authenc(hmac-sha1-lib,cbc(aes-lib))",
		},
		.ivsize = 16,
		.block = 16,
		.authsizes = { 12, 16, 20, 1, 4, 19 },
		.aad = { 8, 24, 8, 24, 12, 28 },
		.key = authenc_key,
	}, {
		.name = "rfc4106(gcm(aes))",
		.generic = {
			"rfc4106(gcm_base(ctr(aes-generic),ghash-generic))",
			"rfc4106(gcm_base(ctr(aes-lib),ghash-lib))",
			"rfc4106(gcm_base(ctr(aes-lib)))",
		},
		.ivsize = 8,
		.block = 1,
		.authsizes = { 16, 16, 12, 8 },
		.aad = { 16, 20 },
		.key = rfc4106_key,
	},
};

static unsigned int one_of(struct test_rand *rand, const u8 *list)
{
	return list[test_below(rand, strlen(list))];
}

/* What another kernel's is called: it has no such driver, or templates of it take
 * other arguments.
 */
static bool not_here(int err)
{
	return err == -ENOENT || err == -EINVAL;
}

static int alloc_reference(struct test_sa *sa)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(sa->alg->generic) && sa->alg->generic[i]; i++) {
		sa->ref = crypto_alloc_aead(sa->alg->generic[i], 0, CRYPTO_ALG_ASYNC);
		if (!not_here(PTR_ERR_OR_ZERO(sa->ref)))
			break;
	}
	return PTR_ERR_OR_ZERO(sa->ref);
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

	sa->key_len = sa->alg->key(rand, key, good);
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
		set_authsize(sa, test_below(rand, 24));
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
