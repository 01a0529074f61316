/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A helper's end of the device, for programs that mean no good.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef GUEST_PEER_H
#define GUEST_PEER_H

#include <errno.h>
#include <stdint.h>

#include "wavecrypt.h"

/* An errno, or 0 for success: what a call came to. */
#define outcome(call)	((call) < 0 ? errno : 0)

/**
 * struct peer - a helper's end
 * @fd: the device
 * @at: what attach answered
 * @map: the regions, as they are mapped
 */
struct peer {
	int fd;
	struct wavecrypt_attach at;
	uint8_t *map[WAVECRYPT_REGIONS];
};

/**
 * struct peer_queue - one queue, as a helper finds it
 * @sq: the submission ring's head
 * @sq_ring: its indices
 * @desc: descriptors, by index
 * @cq: the completion ring's head
 * @cq_ring: its entries
 */
struct peer_queue {
	const struct wavecrypt_sq *sq;
	const uint32_t *sq_ring;
	const struct wavecrypt_desc *desc;
	struct wavecrypt_cq *cq;
	struct wavecrypt_cqe *cq_ring;
};

int peer_device(void);
int peer_attach(int fd, uint32_t flags, uint32_t entries,
		struct wavecrypt_attach *at);
int peer_prot(int region);
int peer_map(struct peer *peer);
void peer_unmap(struct peer *peer);
int peer_open(struct peer *peer, uint32_t flags, uint32_t entries);
void peer_close(struct peer *peer);
uint32_t peer_state(const struct peer *peer);
void peer_queue(const struct peer *peer, uint32_t id, struct peer_queue *q);

#endif /* GUEST_PEER_H */
