// SPDX-License-Identifier: GPL-2.0-only
/*
 * /proc/wavecrypt: what each transform has done, so that an SA's owner can see
 * who serves it. What /proc/crypto is for drivers, this is for transforms.
 *
 * The crypto API does not say what a transform is for, nor XFRM who serves an
 * SA. But ESP authenticates its header, so the AAD of each of its requests
 * starts with the SPI, and an SA's transform never sees another. It is taken
 * from the first request; other users of the API show four bytes that mean
 * nothing. Keys tell more and are told to nobody.
 *
 * The first line names the columns. There may be more one day.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */

#include <linux/percpu.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <linux/xarray.h>
#include <crypto/scatterwalk.h>

#include "key.h"
#include "stats.h"
#include "tally.h"

/* Of ESP's header: SPI and sequence number */
#define WC_TALLY_AAD	8

/* All transforms, by a number that tells which is older. Its lock holds off the end
 * of the one that is being looked at.
 */
static DEFINE_XARRAY_FLAGS(wc_tallies, XA_FLAGS_ALLOC1 | XA_FLAGS_LOCK_BH |
				       XA_FLAGS_ACCOUNT);
static u32 wc_tally_next_id;

/**
 * wc_tally_add - a transform is born
 * @tfm: the transform, complete but for its key
 *
 * Return: 0, or -ENOMEM.
 */
int wc_tally_add(struct wc_tfm *tfm)
{
	int err;

	tfm->named = false;
	err = xa_alloc_cyclic_bh(&wc_tallies, &tfm->id, tfm,
				 XA_LIMIT(1, INT_MAX), &wc_tally_next_id,
				 GFP_KERNEL);
	return err < 0 ? err : 0;
}

/** wc_tally_remove - it goes; nothing is in flight */
void wc_tally_remove(struct wc_tfm *tfm)
{
	xa_erase_bh(&wc_tallies, tfm->id);
}

/**
 * wc_tally_learn - take a transform's SPI from its first request
 * @tfm: the transform
 * @req: the request
 */
void wc_tally_learn(struct wc_tfm *tfm, const struct aead_request *req)
{
	__be32 spi;

	if (req->assoclen < WC_TALLY_AAD)
		return;
	scatterwalk_map_and_copy(&spi, req->src, 0, sizeof(spi), 0);
	WRITE_ONCE(tfm->spi, be32_to_cpu(spi));
	/* Pairs with the acquire in wc_tally_show(). */
	smp_store_release(&tfm->named, true);
}

/** wc_tally_none - whether there is no transform, and so no request */
bool wc_tally_none(void)
{
	return xa_empty(&wc_tallies);
}

static void wc_tally_sum(const struct wc_tfm *tfm, struct wc_tally *sum)
{
	unsigned int op, cpu;

	for_each_possible_cpu(cpu) {
		const struct wc_tally *tally =
			&per_cpu_ptr(tfm->order, cpu)->tally;

		for (op = 0; op < WAVECRYPT_OPS; op++) {
			sum->requests_inline[op] +=
				READ_ONCE(tally->requests_inline[op]);
			sum->requests_offloaded[op] +=
				READ_ONCE(tally->requests_offloaded[op]);
			sum->redone[op] += READ_ONCE(tally->redone[op]);
		}
	}
}

static void wc_tally_print(struct seq_file *file, const struct wc_tfm *tfm)
{
	struct wc_tally sum = { };
	unsigned int op;
	bool offloadable;

	wc_tally_sum(tfm, &sum);
	seq_puts(file, tfm->alg->aead.base.cra_name);
	/* Pairs with the release in wc_tally_learn(). */
	if (smp_load_acquire(&tfm->named))
		seq_printf(file, " 0x%08x", READ_ONCE(tfm->spi));
	else
		seq_puts(file, " -");
	rcu_read_lock();
	offloadable = wc_key_usable(rcu_dereference(tfm->key));
	rcu_read_unlock();
	seq_printf(file, " %d", offloadable);
	for (op = 0; op < WAVECRYPT_OPS; op++)
		seq_printf(file, " %llu %llu %llu", sum.requests_inline[op],
			   sum.requests_offloaded[op], sum.redone[op]);
	seq_printf(file, " %s\n",
		   crypto_tfm_alg_driver_name(crypto_aead_tfm(tfm->fallback)));
}

/* A position is the number of a transform, or 0 for the line before all of them.
 * The lock is held for one line at a time.
 */
static int wc_tally_show(struct seq_file *file, void *item)
{
	const loff_t *pos = item;
	const struct wc_tfm *tfm;

	if (!*pos) {
		seq_puts(file, "algorithm spi offloadable encrypt_inline encrypt_offloaded encrypt_redone decrypt_inline decrypt_offloaded decrypt_redone fallback\n");
		return 0;
	}
	xa_lock_bh(&wc_tallies);
	/* It may have gone meanwhile. */
	tfm = xa_load(&wc_tallies, *pos);
	if (tfm)
		wc_tally_print(file, tfm);
	xa_unlock_bh(&wc_tallies);
	return 0;
}

static void *wc_tally_start(struct seq_file *file, loff_t *pos)
{
	unsigned long id = *pos;

	if (id && !xa_find(&wc_tallies, &id, INT_MAX, XA_PRESENT))
		return NULL;
	*pos = id;
	return pos;
}

static void *wc_tally_next(struct seq_file *file, void *item, loff_t *pos)
{
	++*pos;
	return wc_tally_start(file, pos);
}

static void wc_tally_stop(struct seq_file *file, void *item)
{
}

static const struct seq_operations wc_tally_ops = {
	.start	= wc_tally_start,
	.next	= wc_tally_next,
	.stop	= wc_tally_stop,
	.show	= wc_tally_show,
};

static struct proc_dir_entry *wc_tally_entry;

/** wc_tally_init - show the transforms */
void wc_tally_init(void)
{
	wc_tally_entry = proc_create_seq("wavecrypt", 0400, NULL, &wc_tally_ops);
}

/** wc_tally_exit - show them no longer */
void wc_tally_exit(void)
{
	proc_remove(wc_tally_entry);
}
