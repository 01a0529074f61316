/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef _WC_KEY_H
#define _WC_KEY_H

#include <linux/rcupdate.h>

#include "aead.h"

struct wc_channel;

/**
 * struct wc_key - an entry of the key table, as the module keeps it
 * @index: its place in the table, the same in every channel
 * @entry: what a helper gets to see
 * @link: in the list of all
 * @rcu: a submission may have picked it up just before it was replaced
 */
struct wc_key {
	u32 index;
	struct wavecrypt_key entry;
	struct list_head link;
	struct rcu_head rcu;
};

void wc_key_set(struct wc_tfm *tfm, const struct wavecrypt_key *entry);
void wc_key_drop(struct wc_tfm *tfm);
unsigned int wc_key_limit(void);
void wc_key_attach(struct wc_channel *ch);
void wc_key_detach(struct wc_channel *ch);

#endif /* _WC_KEY_H */
