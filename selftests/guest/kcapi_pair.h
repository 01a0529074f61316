/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcapi_pair: our implementation of an algorithm beside the generic one, and
 * the ways to hand both the same message.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef _GUEST_KCAPI_PAIR_H
#define _GUEST_KCAPI_PAIR_H

#include <kcapi.h>
#include <sys/types.h>

#include "kcapi_alg.h"

enum op { ENCRYPT, DECRYPT };

/**
 * struct tfm - one implementation with a key
 * @handle: libkcapi's
 * @driver: its name
 * @ours: it is wavecrypt's
 */
struct tfm {
	struct kcapi_handle *handle;
	const char *driver;
	bool ours;
};

/**
 * struct pair - an algorithm with a key: ours, and the generic one
 * @alg: the algorithm
 * @key: the key
 * @key_len: its length
 * @flags: of the handles
 * @rng: where the messages come from
 * @tfm: the implementations
 * @m: the message that is tried with both
 */
struct pair {
	const struct alg *alg;
	uint8_t key[MAX_KEY];
	size_t key_len;
	uint32_t flags;
	uint64_t rng;
	struct tfm tfm[2];
	struct message m;
};

/**
 * struct way - a way to hand over a message
 * @name: what the suite calls it
 * @flags: of the handles that it needs
 * @send: has the kernel make @out_len bytes in out_buf of @in_len in in_buf
 */
struct way {
	const char *name;
	uint32_t flags;
	ssize_t (*send)(struct tfm *tfm, enum op op, const struct message *m,
			size_t in_len, size_t out_len);
};

#define NR_WAYS		6

extern const struct way ways[NR_WAYS];

/* What the kernel is given and what comes back: a thread's own */
extern __thread uint8_t *in_buf, *out_buf;

void pair_new(struct pair *pair, const struct alg *alg, size_t aes_len,
	      size_t icv_len, uint32_t flags, uint64_t *rng);
void pair_reopen(struct pair *pair);
void pair_dup(struct pair *pair, const struct pair *from);
void pair_close(struct pair *pair);
void pair_message(struct pair *pair, size_t aad_len, size_t len);
ssize_t pair_transmit(struct pair *pair, struct tfm *tfm, enum op op,
		      const struct way *way);
void pair_check(struct pair *pair, const struct way *way);
unsigned long pair_offloadable(enum op op);

#endif /* _GUEST_KCAPI_PAIR_H */
