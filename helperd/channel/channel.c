// SPDX-License-Identifier: GPL-2.0-only
/*
 * The part of a channel that every transport shares.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <sys/mman.h>

#include "channel/alg.h"
#include "channel/channel.h"
#include "lib/log.h"

void channel_init(struct channel *ch, const struct channel_ops *ops,
		  const char *name)
{
	static uint64_t serial;

	*ch = (struct channel) {
		.serial = __atomic_add_fetch(&serial, 1, __ATOMIC_RELAXED),
		.ops = ops,
		.name = name,
		.users = 1,
	};
}

bool channel_let_go(struct channel *ch, const char *why)
{
	if (channel_state(ch) == WAVECRYPT_STATE_DETACHED)
		return false;
	log_err("%s", why);
	ch->ops->detach(ch);
	return true;
}

/* Does an array of @nr parts, @stride apart from @first on, fit in @size? */
static bool fits(uint64_t size, uint64_t first, uint64_t stride, uint64_t nr,
		 uint64_t part)
{
	uint64_t end;

	if (!nr || stride < part || stride % WAVECRYPT_LINE ||
	    first % WAVECRYPT_LINE)
		return false;
	if (__builtin_mul_overflow(stride, nr, &end) ||
	    __builtin_add_overflow(end, first, &end))
		return false;
	return end <= size;
}

const char *channel_check(const struct wavecrypt_attach *geo)
{
	uint64_t n = geo->entries, sq, cq, ours[WAVECRYPT_ALG_WORDS];

	if (n < 16 || n > WAVECRYPT_MAX_ENTRIES || n & (n - 1))
		return "the ring size is not a power of two within limits";
	if (geo->desc_first % WAVECRYPT_LINE ||
	    geo->desc_first < sizeof(struct wavecrypt_sq) + n * sizeof(__u32) ||
	    geo->desc_first > UINT32_MAX)
		return "descriptors overlap the submission ring";
	sq = geo->desc_first + n * sizeof(struct wavecrypt_desc);
	cq = sizeof(struct wavecrypt_cq) + n * sizeof(struct wavecrypt_cqe);
	if (geo->sq_first < sizeof(struct wavecrypt_header))
		return "queue 0 overlaps the header";
	if (!fits(geo->region[WAVECRYPT_REGION_SUBMIT].size, geo->sq_first,
		  geo->sq_stride, geo->queues, sq))
		return "the queues do not fit in the SUBMIT region";
	if (!fits(geo->region[WAVECRYPT_REGION_COMPLETE].size, 0,
		  geo->cq_stride, geo->queues, cq))
		return "the queues do not fit in the COMPLETE region";
	if (!fits(geo->region[WAVECRYPT_REGION_SLOTS].size, 0,
		  geo->slot_stride, geo->queues, WAVECRYPT_LINE))
		return "the queues do not fit in the SLOTS region";
	if (!fits(geo->region[WAVECRYPT_REGION_KEYS].size, 0,
		  sizeof(struct wavecrypt_key), geo->keys,
		  sizeof(struct wavecrypt_key)))
		return "the keys do not fit in the KEYS region";
	if (geo->removed < geo->keys || geo->removed & (geo->removed - 1) ||
	    geo->removed_first < geo->keys * sizeof(struct wavecrypt_key))
		return "the ring of removed keys is too short";
	if (!fits(geo->region[WAVECRYPT_REGION_KEYS].size, geo->removed_first,
		  WAVECRYPT_LINE,
		  (geo->removed * sizeof(__u32) + WAVECRYPT_LINE - 1) /
		  WAVECRYPT_LINE, WAVECRYPT_LINE))
		return "the ring of removed keys does not fit in the KEYS region";
	alg_set(ours);
	for (int i = 0; i < WAVECRYPT_ALG_WORDS; i++)
		if (geo->algs[i] & ~ours[i])
			return "the module offloads what this daemon cannot do";
	return NULL;
}

void channel_protect(struct channel *ch)
{
	for (int i = 0; i < WAVECRYPT_REGIONS; i++)
		madvise(ch->map[i], ch->geo.region[i].size, MADV_DONTDUMP);
}
