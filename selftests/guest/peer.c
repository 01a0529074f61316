// SPDX-License-Identifier: GPL-2.0-only
/*
 * A helper's end of the device, for programs that mean no good.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "peer.h"

/** peer_device - open the device; a descriptor, or a negative errno */
int peer_device(void)
{
	int fd = open(WAVECRYPT_DEVICE, O_RDWR | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

/**
 * peer_attach - become the helper
 * @fd: the device
 * @flags: as &wavecrypt_attach.flags
 * @entries: as &wavecrypt_attach.entries
 * @at: where to store the answer
 *
 * Return: 0 or an errno.
 */
int peer_attach(int fd, uint32_t flags, uint32_t entries,
		struct wavecrypt_attach *at)
{
	memset(at, 0, sizeof(*at));
	at->abi = WAVECRYPT_ABI_VERSION;
	at->flags = flags;
	at->entries = entries;
	memset(at->algs, 0xff, sizeof(at->algs));
	return outcome(ioctl(fd, WAVECRYPT_IOC_ATTACH, at));
}

/** peer_prot - how a region may be mapped */
int peer_prot(int region)
{
	return region == WAVECRYPT_REGION_SUBMIT ||
	       region == WAVECRYPT_REGION_KEYS ? PROT_READ : PROT_READ | PROT_WRITE;
}

/**
 * peer_map - map what was attached
 * @peer: the helper's end, but for its mappings
 *
 * Return: 0, or an errno and nothing mapped.
 */
int peer_map(struct peer *peer)
{
	memset(peer->map, 0, sizeof(peer->map));
	for (int i = 0; i < WAVECRYPT_REGIONS; i++) {
		peer->map[i] = mmap(NULL, peer->at.region[i].size, peer_prot(i),
				    MAP_SHARED, peer->fd, peer->at.region[i].offset);
		if (peer->map[i] == MAP_FAILED) {
			int err = errno;

			peer->map[i] = NULL;
			peer_unmap(peer);
			return err;
		}
	}
	return 0;
}

/** peer_unmap - undo peer_map() */
void peer_unmap(struct peer *peer)
{
	for (int i = 0; i < WAVECRYPT_REGIONS; i++)
		if (peer->map[i])
			munmap(peer->map[i], peer->at.region[i].size);
}

/**
 * peer_open - open, attach and map
 * @peer: the helper's end to be
 * @flags: as peer_attach() has them
 * @entries: likewise
 *
 * Return: 0, or an errno and nothing to close.
 */
int peer_open(struct peer *peer, uint32_t flags, uint32_t entries)
{
	int err;

	memset(peer, 0, sizeof(*peer));
	peer->fd = peer_device();
	if (peer->fd < 0)
		return -peer->fd;
	err = peer_attach(peer->fd, flags, entries, &peer->at);
	if (!err)
		err = peer_map(peer);
	if (err)
		close(peer->fd);
	return err;
}

/** peer_close - unmap and close, as an exit would */
void peer_close(struct peer *peer)
{
	peer_unmap(peer);
	close(peer->fd);
}

/** peer_state - &enum wavecrypt_state of the channel */
uint32_t peer_state(const struct peer *peer)
{
	const struct wavecrypt_header *header = (void *)peer->map[WAVECRYPT_REGION_SUBMIT];

	return __atomic_load_n(&header->state, __ATOMIC_ACQUIRE);
}

/** peer_queue - where a queue's parts are */
void peer_queue(const struct peer *peer, uint32_t id, struct peer_queue *q)
{
	const struct wavecrypt_attach *at = &peer->at;
	const uint8_t *part = peer->map[WAVECRYPT_REGION_SUBMIT] + at->sq_first +
			      id * at->sq_stride;

	q->sq = (const void *)part;
	q->sq_ring = (const void *)(q->sq + 1);
	q->desc = (const void *)(part + at->desc_first);
	q->cq = (void *)(peer->map[WAVECRYPT_REGION_COMPLETE] + id * at->cq_stride);
	q->cq_ring = (void *)(q->cq + 1);
}
