/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Workers with a device, and packets for them.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef SELFTESTS_PLAY_H
#define SELFTESTS_PLAY_H

#include "daemon/config.h"
#include "daemon/worker_settings.h"
#include "producer.h"
#include "worker/worker.h"

/** PLAY_PATIENCE_NS - longer than anything takes, so that only a hang exceeds it */
#define PLAY_PATIENCE_NS	(30 * 1000000000ull)

/** PLAY_QUEUES - queues, which the workers share, or as many as there are of these */
#define PLAY_QUEUES	2

/** PLAY_WORKERS - most workers */
#define PLAY_WORKERS	4

/**
 * struct play - workers, and what they work on
 * @producer: the kernel's part
 * @workers: number of workers, 1 or one for each queue
 * @queues: number of queues
 * @busy: queues that get packets, the first so many: all, unless told
 * @worker: the workers
 * @end_fd: event that one has ended
 */
struct play {
	struct producer producer;
	uint32_t workers;
	uint32_t queues;
	uint32_t busy;
	struct worker *worker[PLAY_WORKERS];
	int end_fd;
};

/**
 * struct tally - what came back
 * @good: packets that are what they have to be
 * @retries: packets given back undone
 */
struct tally {
	uint32_t good;
	uint32_t retries;
};

/** play_begin - start @workers workers, which take turns at the devices */
void play_begin(struct play *p, const struct config *config,
		const struct backend_choice *choice, uint32_t workers);

/** play_end - stop them */
void play_end(struct play *p);

/**
 * play_packets - play packets, until all are back or a worker has ended
 * @p: by which workers
 * @nr: how many
 * @longest: of any length up to that
 */
struct tally play_packets(struct play *p, uint32_t nr, uint32_t longest);

/** play_stats - what the workers have counted together, of a device and of sleep */
struct worker_stats play_stats(const struct play *p);

/** play_device_packets - how many packets the device has done */
static inline uint64_t play_device_packets(const struct play *p)
{
	return play_stats(p).device_packets;
}

/** play_device_packets_of - likewise, for one worker */
uint64_t play_device_packets_of(const struct play *p, uint32_t worker);

/** play_await_device_of - play until the device works for a worker; false: not */
bool play_await_device_of(struct play *p, uint32_t worker);

/** play_await_device - likewise, for every worker */
bool play_await_device(struct play *p);

/** play_break_off - submit packets, and have the channel end with them in work */
void play_break_off(struct play *p, uint32_t state);

/** play_in_vain - packets that nobody may have back: the channel is given up */
void play_in_vain(struct play *p);

#endif
