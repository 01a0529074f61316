// SPDX-License-Identifier: GPL-2.0-only
/*
 * wavecrypt_taken: somebody else has the name of a driver
 *
 * It offers an algorithm of the name that it is told, which nobody asks for. The kernel
 * then registers no driver with it.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <crypto/internal/aead.h>
#include <linux/module.h>

static char *taken_name = "";
module_param_named(name, taken_name, charp, 0444);
MODULE_PARM_DESC(name, "name of the algorithm");

static int taken_setkey(struct crypto_aead *aead, const u8 *key, unsigned int len)
{
	return -EINVAL;
}

static int taken_crypt(struct aead_request *req)
{
	return -ENOKEY;
}

static struct aead_alg taken_alg = {
	.setkey = taken_setkey,
	.encrypt = taken_crypt,
	.decrypt = taken_crypt,
	.base = {
		.cra_driver_name = "wavecrypt-taken",
		.cra_blocksize = 1,
		.cra_module = THIS_MODULE,
	},
};

static int __init taken_init(void)
{
	if (strscpy(taken_alg.base.cra_name, taken_name,
		    sizeof(taken_alg.base.cra_name)) <= 0)
		return -EINVAL;
	return crypto_register_aead(&taken_alg);
}

static void __exit taken_exit(void)
{
	crypto_unregister_aead(&taken_alg);
}

module_init(taken_init);
module_exit(taken_exit);

MODULE_LICENSE("GPL");
MODULE_AUTHOR("The wavecrypt authors");
MODULE_DESCRIPTION("An AEAD with the name of a driver");
