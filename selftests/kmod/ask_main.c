// SPDX-License-Identifier: GPL-2.0-only
/*
 * wavecrypt_ask: userspace's requests, to any AEAD that the kernel has
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/scatterlist.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <crypto/aead.h>

#include "ask.h"

static int ask_driver(struct file *file, const void __user *arg)
{
	struct crypto_aead *tfm;
	struct ask_driver ask;
	int err;

	if (copy_from_user(&ask, arg, sizeof(ask)))
		return -EFAULT;
	ask.name[sizeof(ask.name) - 1] = '\0';
	tfm = crypto_alloc_aead(ask.name, 0, 0);
	if (IS_ERR(tfm))
		return PTR_ERR(tfm);
	err = crypto_aead_setauthsize(tfm, ask.authsize);
	/* Once only; whoever sees it sees it whole. */
	if (!err && cmpxchg(&file->private_data, NULL, tfm))
		err = -EBUSY;
	if (err)
		crypto_free_aead(tfm);
	return err;
}

static int ask_key(struct crypto_aead *tfm, const void __user *arg)
{
	struct ask_key ask;
	int err = -EINVAL;

	if (copy_from_user(&ask, arg, sizeof(ask)))
		return -EFAULT;
	if (ask.len <= sizeof(ask.key))
		err = crypto_aead_setkey(tfm, ask.key, ask.len);
	memzero_explicit(&ask, sizeof(ask));
	return err;
}

static int ask_crypt(struct crypto_aead *tfm, struct ask_request *ask, void *buf)
{
	struct aead_request *req = aead_request_alloc(tfm, GFP_KERNEL);
	DECLARE_CRYPTO_WAIT(wait);
	struct scatterlist sg;
	int err;

	if (!req)
		return -ENOMEM;
	sg_init_one(&sg, buf, max(ask->in_len, ask->out_len));
	aead_request_set_callback(req, CRYPTO_TFM_REQ_MAY_SLEEP | CRYPTO_TFM_REQ_MAY_BACKLOG,
				  crypto_req_done, &wait);
	aead_request_set_ad(req, ask->assoclen);
	aead_request_set_crypt(req, &sg, &sg, ask->in_len - ask->assoclen, ask->iv);
	err = crypto_wait_req(ask->encrypt ? crypto_aead_encrypt(req) :
					     crypto_aead_decrypt(req), &wait);
	aead_request_free(req);
	return err;
}

/* In place, in a copy */
static int ask_request(struct crypto_aead *tfm, const void __user *arg)
{
	unsigned int authsize = crypto_aead_authsize(tfm);
	struct ask_request ask;
	u32 shorter, longer;
	void *buf;
	int err;

	if (copy_from_user(&ask, arg, sizeof(ask)))
		return -EFAULT;
	shorter = ask.encrypt ? ask.in_len : ask.out_len;
	longer = ask.encrypt ? ask.out_len : ask.in_len;
	if (longer > ASK_MAX_LEN || shorter > longer || longer - shorter != authsize ||
	    ask.assoclen > shorter || crypto_aead_ivsize(tfm) > sizeof(ask.iv))
		return -EINVAL;
	buf = kzalloc(longer, GFP_KERNEL);
	if (!buf)
		return -ENOMEM;
	err = -EFAULT;
	if (copy_from_user(buf, u64_to_user_ptr(ask.in), ask.in_len))
		goto out;
	err = ask_crypt(tfm, &ask, buf);
	if (!err && copy_to_user(u64_to_user_ptr(ask.out), buf, ask.out_len))
		err = -EFAULT;
out:
	kfree_sensitive(buf);
	return err;
}

static long ask_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct crypto_aead *tfm = READ_ONCE(file->private_data);
	const void __user *from = (const void __user *)arg;

	if (cmd == ASK_IOC_DRIVER)
		return ask_driver(file, from);
	if (!tfm)
		return -ENOTCONN;
	switch (cmd) {
	case ASK_IOC_KEY:
		return ask_key(tfm, from);
	case ASK_IOC_REQUEST:
		return ask_request(tfm, from);
	default:
		return -ENOTTY;
	}
}

/* Of misc's it would be the device. */
static int ask_open(struct inode *inode, struct file *file)
{
	file->private_data = NULL;
	return 0;
}

static int ask_release(struct inode *inode, struct file *file)
{
	if (file->private_data)
		crypto_free_aead(file->private_data);
	return 0;
}

static const struct file_operations ask_fops = {
	.owner		= THIS_MODULE,
	.open		= ask_open,
	.release	= ask_release,
	.unlocked_ioctl	= ask_ioctl,
};

static struct miscdevice ask_device = {
	.minor	= MISC_DYNAMIC_MINOR,
	.name	= "wavecrypt_ask",
	.fops	= &ask_fops,
	.mode	= 0600,
};
module_misc_device(ask_device);

MODULE_LICENSE("GPL");
MODULE_AUTHOR("The wavecrypt authors");
MODULE_DESCRIPTION("Requests of test programs, to any AEAD of the kernel's");
