// SPDX-License-Identifier: GPL-2.0-only
/*
 * wavecrypt_late: a driver of the kernel's own that takes its time
 *
 * It offers "authenc(hmac(sha1),cbc(aes))", with a priority just below wavecrypt's, so
 * that new transforms fall back on it, and has another driver do its requests, but not
 * before "delay" ms have passed, in their order, and no more than a "portion" of them by
 * jiffy; with no delay, in the call. On a busy machine that may be cryptd, or pcrypt. A
 * change of "delay" holds for those, too, that it has; "pending" is how many, "most" how
 * many at a time at most, and "returned" how many it has had. If it "refuses", there are
 * no new transforms of it.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <crypto/aes.h>
#include <crypto/internal/aead.h>
#include <crypto/sha1.h>
#include <linux/atomic.h>
#include <linux/jiffies.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>

#define LATE_NAME	"authenc(hmac(sha1),cbc(aes))"

static unsigned int late_delay;
module_param_named(delay, late_delay, uint, 0644);
MODULE_PARM_DESC(delay, "ms that a request takes (default 0: it is done in the call)");

static unsigned int late_portion;
module_param_named(portion, late_portion, uint, 0644);
MODULE_PARM_DESC(portion, "requests that it returns at a time, by jiffy (default 0: all that have taken their time)");

static bool late_refuses;
module_param_named(refuses, late_refuses, bool, 0644);
MODULE_PARM_DESC(refuses, "no new transforms (default N)");

static atomic_t late_pending;
module_param_named(pending, late_pending.counter, int, 0444);
MODULE_PARM_DESC(pending, "requests that it has");

static int late_most;
module_param_named(most, late_most, int, 0644);
MODULE_PARM_DESC(most, "most requests that it had at a time, since it was set to 0");

static unsigned int late_returned;
module_param_named(returned, late_returned, uint, 0444);
MODULE_PARM_DESC(returned, "requests that it has had");

struct late_tfm {
	struct crypto_aead *inner;
};

struct late_request {
	struct list_head link;
	struct aead_request *req;
	unsigned long since;
	bool encrypt;
	struct aead_request inner;
};

static void late_look(struct work_struct *work);

static LIST_HEAD(late_requests);
static DEFINE_SPINLOCK(late_lock);
static DECLARE_DELAYED_WORK(late_work, late_look);

static struct late_request *late_next(void)
{
	unsigned long delay = msecs_to_jiffies(READ_ONCE(late_delay));
	struct late_request *rq;

	spin_lock_bh(&late_lock);
	rq = list_first_entry_or_null(&late_requests, struct late_request, link);
	if (rq && time_before(jiffies, rq->since + delay))
		rq = NULL;
	if (rq)
		list_del(&rq->link);
	spin_unlock_bh(&late_lock);
	return rq;
}

static int late_do(struct late_request *rq)
{
	return rq->encrypt ? crypto_aead_encrypt(&rq->inner) :
			     crypto_aead_decrypt(&rq->inner);
}

static void late_look(struct work_struct *work)
{
	unsigned int portion = READ_ONCE(late_portion) ?: UINT_MAX;
	struct late_request *rq;
	int err;

	while (portion-- && (rq = late_next())) {
		err = late_do(rq);
		/* Before whoever gets it back has another one done */
		atomic_dec(&late_pending);
		local_bh_disable();
		aead_request_complete(rq->req, err);
		local_bh_enable();
		WRITE_ONCE(late_returned, late_returned + 1);
	}
	if (atomic_read(&late_pending))
		schedule_delayed_work(&late_work, 1);
}

static int late_crypt(struct aead_request *req, bool encrypt)
{
	struct late_tfm *tfm = crypto_aead_ctx(crypto_aead_reqtfm(req));
	struct late_request *rq = aead_request_ctx(req);

	aead_request_set_tfm(&rq->inner, tfm->inner);
	aead_request_set_callback(&rq->inner, 0, NULL, NULL);
	aead_request_set_crypt(&rq->inner, req->src, req->dst, req->cryptlen,
			       req->iv);
	aead_request_set_ad(&rq->inner, req->assoclen);
	rq->req = req;
	rq->since = jiffies;
	rq->encrypt = encrypt;
	if (!READ_ONCE(late_delay))
		return late_do(rq);
	spin_lock_bh(&late_lock);
	late_most = max(late_most, atomic_inc_return(&late_pending));
	list_add_tail(&rq->link, &late_requests);
	spin_unlock_bh(&late_lock);
	schedule_delayed_work(&late_work, 0);
	return -EINPROGRESS;
}

static int late_encrypt(struct aead_request *req)
{
	return late_crypt(req, true);
}

static int late_decrypt(struct aead_request *req)
{
	return late_crypt(req, false);
}

static int late_setkey(struct crypto_aead *aead, const u8 *key, unsigned int len)
{
	const struct late_tfm *tfm = crypto_aead_ctx(aead);

	return crypto_aead_setkey(tfm->inner, key, len);
}

static int late_setauthsize(struct crypto_aead *aead, unsigned int authsize)
{
	const struct late_tfm *tfm = crypto_aead_ctx(aead);

	return crypto_aead_setauthsize(tfm->inner, authsize);
}

static int late_init(struct crypto_aead *aead)
{
	struct late_tfm *tfm = crypto_aead_ctx(aead);

	if (READ_ONCE(late_refuses))
		return -ENODEV;
	/* Neither this one nor wavecrypt's is synchronous. */
	tfm->inner = crypto_alloc_aead(LATE_NAME, 0, CRYPTO_ALG_ASYNC);
	if (IS_ERR(tfm->inner))
		return PTR_ERR(tfm->inner);
	crypto_aead_set_reqsize(aead, sizeof(struct late_request) +
				      crypto_aead_reqsize(tfm->inner));
	return 0;
}

static void late_exit(struct crypto_aead *aead)
{
	struct late_tfm *tfm = crypto_aead_ctx(aead);

	crypto_free_aead(tfm->inner);
}

static struct aead_alg late_alg = {
	.setkey = late_setkey,
	.setauthsize = late_setauthsize,
	.encrypt = late_encrypt,
	.decrypt = late_decrypt,
	.init = late_init,
	.exit = late_exit,
	.ivsize = AES_BLOCK_SIZE,
	.maxauthsize = SHA1_DIGEST_SIZE,
	.base = {
		.cra_name = LATE_NAME,
		.cra_driver_name = "authenc-hmac-sha1-cbc-aes-late",
		.cra_priority = 9999,
		.cra_flags = CRYPTO_ALG_ASYNC,
		.cra_blocksize = AES_BLOCK_SIZE,
		.cra_ctxsize = sizeof(struct late_tfm),
		.cra_module = THIS_MODULE,
	},
};

static int __init late_main_init(void)
{
	return crypto_register_aead(&late_alg);
}

static void __exit late_main_exit(void)
{
	crypto_unregister_aead(&late_alg);
	cancel_delayed_work_sync(&late_work);
}

module_init(late_main_init);
module_exit(late_main_exit);

MODULE_LICENSE("GPL");
MODULE_AUTHOR("The wavecrypt authors");
MODULE_DESCRIPTION("An AEAD that takes its time");
