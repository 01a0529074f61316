/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Describing a chunk to a GPU.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_BACKENDS_GPU_DESCRIBE_H
#define WAVECRYPT_BACKENDS_GPU_DESCRIBE_H

#include "backends/chunk.h"
#include "backends/gpu/keys.h"
#include "gpu.h"

/** gpu_fits - is a packet one that kernels can do, if they do its kind? */
static inline bool gpu_fits(const struct packet *p)
{
	return p->len <= WAVECRYPT_GPU_MAX_LEN;
}

/**
 * gpu_group - describe a part of a chunk
 * @group: to fill in
 * @part: the part
 * @first: index of the chunk's first packet in the array of packets
 */
static inline void gpu_group(struct wavecrypt_gpu_group *group,
			     const struct part *part, uint32_t first)
{
	wavecrypt_gpu_group_init(group, part->alg, part->op, part->key_len,
				 first + part->first);
	group->count = part->nr;
	group->longest = part->longest;
}

/**
 * gpu_packet - describe a packet
 * @to: to fill in
 * @p: the packet
 * @data: where its payload is, as the kernels count
 */
static inline void gpu_packet(struct wavecrypt_gpu_packet *to,
			      const struct packet *p, uint32_t data)
{
	to->data = data;
	to->key = p->key_index;
	to->len = p->len;
	to->aad_len = p->aad_len;
	to->seq_hi_len = packet_seq_hi_len(p);
	to->seq_hi = to->seq_hi_len ? packet_seq_hi(p) : 0;
	__builtin_memcpy(to->iv, p->iv, sizeof(to->iv));
}

/**
 * gpu_packets - describe a chunk's packets where they are, in the arena
 * @to: to fill in, one for each
 * @c: the chunk
 * @number: its number
 * @keys: keys that it uses
 */
static inline void gpu_packets(struct wavecrypt_gpu_packet *to,
			       const struct chunk *c, uint64_t number,
			       struct gpu_keys *keys)
{
	for (uint32_t i = 0; i < c->nr; i++) {
		const struct packet *p = c->packets[i];

		gpu_packet(&to[i], p, p->offset);
		gpu_keys_use(keys, p, number);
	}
}

#endif
