/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A queue of AQL packets, which the GPU reads by itself: work is given to it
 * without a system call.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_BACKENDS_HSA_AQL_H
#define WAVECRYPT_BACKENDS_HSA_AQL_H

#include <stdbool.h>

#include "backends/hsa/code.h"

struct errand;

/**
 * struct hsa_aql - a queue
 * @queue: the runtime's, or NULL
 * @error: what it was stopped for; set by a thread of the runtime's
 * @aborted: what @queue was until hsa_aql_abort()
 * @aborting: takes it from the GPU, or NULL
 * @kept: that failed
 */
struct hsa_aql {
	hsa_queue_t *queue;
	hsa_status_t error;
	hsa_queue_t *aborted;
	struct errand *aborting;
	bool kept;
};

/** hsa_aql_open - a queue for one thread to write to */
hsa_status_t hsa_aql_open(struct hsa_aql *a, hsa_agent_t gpu);

/**
 * hsa_aql_abort - begin to end it, with packets at work that are not to come to an end
 *
 * That may take seconds, so it is done on a thread of its own. @a has to stay until
 * hsa_aql_aborted() says what came of it.
 */
void hsa_aql_abort(struct hsa_aql *a);

/**
 * enum hsa_aborted - what came of that
 * @HSA_ABORTED: the GPU has nothing of it any more
 * @HSA_ABORTING: nothing yet
 * @HSA_NOT_ABORTED: it may still be at work
 */
enum hsa_aborted {
	HSA_ABORTED,
	HSA_ABORTING,
	HSA_NOT_ABORTED,
};

/** hsa_aql_aborted - wait for that for so many ns; where none was begun there is nothing */
enum hsa_aborted hsa_aql_aborted(struct hsa_aql *a, uint64_t ns);

/** hsa_aql_leave - wait for it no longer: @a has to stay for good */
void hsa_aql_leave(struct hsa_aql *a);

/**
 * hsa_aql_close - end it
 * @a: the queue; one of all zeros is ignored
 * @abort: packets may be at work, which are not to come to an end
 *
 * Return: false if the GPU may still be at work.
 */
bool hsa_aql_close(struct hsa_aql *a, bool abort);

/** hsa_aql_error - what it was stopped for, or HSA_STATUS_SUCCESS */
static inline hsa_status_t hsa_aql_error(const struct hsa_aql *a)
{
	return __atomic_load_n(&a->error, __ATOMIC_ACQUIRE);
}

/**
 * hsa_aql_dispatch - have a kernel executed
 * @a: the queue
 * @kernel: the kernel
 * @lanes: work-items of a work-group
 * @groups: work-groups
 * @arguments: its arguments
 * @done: signal that is counted down by one when it has ended
 *
 * What was written to shared memory before is there for it, and what it writes
 * is there when the signal says so.
 *
 * Return: false if the queue is full.
 */
bool hsa_aql_dispatch(struct hsa_aql *a, const struct hsa_kernel *kernel,
		      uint16_t lanes, uint32_t groups, void *arguments,
		      hsa_signal_t done);

#endif
