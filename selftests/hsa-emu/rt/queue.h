/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 *
 * User-mode queues, and the packet processor of each (aql.c)
 */
#ifndef RT_QUEUE_H
#define RT_QUEUE_H

#include <hsa/amd_hsa_queue.h>
#include <hsa/hsa_ext_amd.h>
#include <pthread.h>
#include <stdbool.h>

#include "agent.h"
#include "signal.h"

enum { QUEUES_MAX = 128, PACKET_SIZE = 64 };

typedef void queue_callback(hsa_status_t status, hsa_queue_t *source, void *data);

/* Why a queue does no more */
enum queue_state {
	QUEUE_ACTIVE,
	QUEUE_ERROR,		/* and its callback was told */
	QUEUE_DEAD,		/* its agent is gone, or it was inactivated */
};

/**
 * struct queue - a queue
 * @hw: what its user sees
 * @agent: whose it is
 * @number: its number, for messages
 * @callback: for errors
 * @data: for @callback
 * @ring: the packets
 * @doorbell: its signal
 * @lock: protects what follows
 * @cond: signalled when the packet processor has something to look at
 * @thread: the packet processor
 * @stop: it is to end
 * @state: whether it does anything
 * @rung: one more than the packet that the doorbell was last rung for
 * @published: for each place when its packet was there to be read, as a tick
 * @seen: packets up to here have such a tick
 * @begun: packets that the packet processor has begun with
 * @running: dispatches that were launched and are not done
 * @acquired: the last tick at which all that the host wrote was made visible
 * @floor: the tick of the last barrier packet, before which everything was done
 * @users: what keeps it: its being there, and events on their way
 * @next: the agents' queues are in one list
 */
struct queue {
	amd_queue_t hw;
	struct agent *agent;
	unsigned int number;
	queue_callback *callback;
	void *data;
	u8 *ring;
	struct signal *doorbell;
	pthread_mutex_t lock;
	pthread_cond_t cond;
	pthread_t thread;
	bool stop;
	enum queue_state state;
	u64 rung;
	u32 *published;
	u64 seen, begun;
	unsigned int running;
	u32 acquired, floor;
	unsigned int users;
	struct queue *next;
};

/**
 * queue_ring() - its doorbell was stored to
 * @q: the queue
 * @value: the number of a packet
 */
void queue_ring(struct queue *q, u64 value);

/**
 * queue_error() - stop a queue, and tell its callback
 * @q: the queue
 * @status: what to tell
 */
void queue_error(struct queue *q, hsa_status_t status);

/**
 * queue_fault() - report a kernel's memory fault, as the driver does, and stop
 * @q: the queue
 * @address: what it touched
 * @write: whether it wrote
 */
void queue_fault(struct queue *q, u64 address, bool write);

/**
 * queues_lose() - an agent is lost, with all its queues
 * @a: the agent
 * @told: whether anybody is told
 */
void queues_lose(struct agent *a, bool told);

/**
 * queues_exit() - destroy those that were not, and report it
 */
void queues_exit(void);

/**
 * aql_run() - the packet processor
 * @arg: its queue
 */
void *aql_run(void *arg);

#endif
