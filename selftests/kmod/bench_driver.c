// SPDX-License-Identifier: GPL-2.0-only
/*
 * wavecrypt_bench: a driver under test, keyed
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <crypto/authenc.h>
#include <crypto/sha2.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "bench.h"

/* Bytes of the longest key of a cipher, with what is the nonce's */
#define BENCH_MAX_KEY	36

/* Anything will do, so long as each SA has its own. */
static void fill_key(u8 *key, unsigned int len, unsigned int lane)
{
	unsigned int i;

	for (i = 0; i < len; i++)
		key[i] = 7 * i + 31 * lane + 3 + (lane >> 8) * i;
}

static int set_key(struct crypto_aead *tfm, const struct bench_spec *spec,
		   unsigned int lane)
{
	const struct bench_shape *shape = spec->shape;
	unsigned int len = shape->no_cipher ? 0 :
			   (shape->long_key ?: spec->key_len) + shape->salt;
	struct {
		struct rtattr attr;
		struct crypto_authenc_key_param param;
		u8 keys[SHA512_DIGEST_SIZE + BENCH_MAX_KEY];
	} __packed authenc = {
		.attr.rta_len = RTA_LENGTH(sizeof(authenc.param)),
		.attr.rta_type = CRYPTO_AUTHENC_KEYA_PARAM,
		.param.enckeylen = cpu_to_be32(len),
	};

	fill_key(authenc.keys, shape->auth_key + len, lane);
	if (!shape->auth_key)
		return crypto_aead_setkey(tfm, authenc.keys, len);
	return crypto_aead_setkey(tfm, (u8 *)&authenc,
				  offsetof(typeof(authenc), keys) +
				  shape->auth_key + len);
}

/**
 * bench_driver_open - allocate and key a driver's tfms
 * @driver: where to put them
 * @name: its name
 * @spec: for what
 * @lanes: how many
 *
 * Return: 0 or a negative error code.
 */
int bench_driver_open(struct bench_driver *driver, const char *name,
		      const struct bench_spec *spec, unsigned int lanes)
{
	struct bench_lane *lane;
	int err;

	driver->lanes = 0;
	driver->lane = kvcalloc(lanes, sizeof(*driver->lane), GFP_KERNEL);
	if (!driver->lane)
		return -ENOMEM;
	while (driver->lanes < lanes) {
		lane = &driver->lane[driver->lanes];
		lane->tfm = crypto_alloc_aead(name, 0, 0);
		if (IS_ERR(lane->tfm)) {
			err = PTR_ERR(lane->tfm);
			goto fail;
		}
		driver->lanes++;
		err = set_key(lane->tfm, spec, driver->lanes);
		if (err)
			goto fail;
		err = crypto_aead_setauthsize(lane->tfm, spec->shape->icv);
		if (err)
			goto fail;
	}
	return 0;

fail:
	pr_err("%s: error %d\n", name, err);
	bench_driver_close(driver);
	return err;
}

/**
 * bench_driver_close - free a driver's tfms
 * @driver: the driver
 */
void bench_driver_close(struct bench_driver *driver)
{
	while (driver->lanes)
		crypto_free_aead(driver->lane[--driver->lanes].tfm);
	kvfree(driver->lane);
	driver->lane = NULL;
}

/**
 * bench_driver_view - see some of a driver's SAs as if they were all
 *
 * So that each CPU can count what it submitted and got back.
 *
 * @view: where to put them
 * @driver: whose
 * @first: the first of them
 * @lanes: how many
 *
 * Return: 0 or -ENOMEM.
 */
int bench_driver_view(struct bench_driver *view, const struct bench_driver *driver,
		      unsigned int first, unsigned int lanes)
{
	view->lane = kvmalloc_array(lanes, sizeof(*view->lane), GFP_KERNEL);
	if (!view->lane)
		return -ENOMEM;
	memcpy(view->lane, driver->lane + first, lanes * sizeof(*view->lane));
	view->lanes = lanes;
	return 0;
}

/**
 * bench_driver_unview - look no longer
 * @view: what bench_driver_view() made, or zeros
 */
void bench_driver_unview(struct bench_driver *view)
{
	kvfree(view->lane);
}

/**
 * bench_driver_name - what implementation a driver turned out to be
 * @driver: the driver
 */
const char *bench_driver_name(const struct bench_driver *driver)
{
	return crypto_tfm_alg_driver_name(crypto_aead_tfm(driver->lane[0].tfm));
}
