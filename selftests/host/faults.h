/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An OpenCL that fails when it is told to.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef SELFTESTS_FAULTS_H
#define SELFTESTS_FAULTS_H

#include <stdbool.h>
#include <stdint.h>

/** FAULTS_CALLS - OpenCL's functions that the daemon calls */
#define FAULTS_CALLS	31

/** faults_install - put it in the place of OpenCL's functions; counts from 0 */
void faults_install(void);

/** faults_remove - and OpenCL back */
void faults_remove(void);

/** faults_name - name of a function, from 0 to FAULTS_CALLS - 1 */
const char *faults_name(unsigned int call);

/** faults_find - the function of that name */
unsigned int faults_find(const char *name);

/** faults_count - how often a function has been called since faults_reset() */
uint32_t faults_count(unsigned int call);

/** faults_reset - count from 0 again, and let nothing fail */
void faults_reset(void);

/**
 * faults_fail - have one call fail
 * @call: of this function
 * @after: so many calls from now on
 */
void faults_fail(unsigned int call, uint32_t after);

/**
 * faults_spoil - have one command fail on the device, and those behind it go on
 * @call: of those that this function enqueues. Of copies to the device, those to the
 *	beginning of a buffer do not count.
 * @after: so many commands from now on
 *
 * The function succeeds; the command does nothing, and only its event says so.
 */
void faults_spoil(unsigned int call, uint32_t after);

/**
 * faults_die - likewise, and the driver is done with the process then, as NVIDIA's is
 *
 * From then on no event tells what became of its command, no queue comes to an end, and
 * there is no new context.
 */
void faults_die(unsigned int call, uint32_t after);

/**
 * faults_map_stale - mapping memory makes it what it was before
 * @ms: so long before, which it takes; 0: it does not
 *
 * Unless it is mapped for being written anew.
 */
void faults_map_stale(uint32_t ms);

/** faults_watch - look into buffers that were written to when they are released */
void faults_watch(bool watch);

/** faults_left - how many still held something, of how many */
uint32_t faults_left(uint32_t *of);

/** faults_source - where the last command that writes to a buffer reads, and how much */
const uint8_t *faults_source(size_t *size);

/** faults_events - events that commands have made and nobody has released */
int32_t faults_events(void);

/** faults_objects - queues and buffers that were made and nobody has released */
int32_t faults_objects(void);

/**
 * struct faults_patch - what is otherwise in the kernels' source
 * @from: what is there, once; NULL: that was the last
 * @to: what it is replaced with
 */
struct faults_patch {
	const char *from, *to;
};

/**
 * faults_patch - have the compiler get other kernels
 * @patches: how they differ; NULL: not any more
 * @which: one less than what get_work_dim() says in them, up to 2: so that what takes
 *	long to compile is compiled once
 */
void faults_patch(const struct faults_patch *patches, unsigned int which);

/** faults_refuse - the compiler refuses options that these words are in; NULL: none */
void faults_refuse(const char *words);

/** faults_happened - has it? */
bool faults_happened(void);

/** FAULTS_NONE - none, of devices or functions */
#define FAULTS_NONE	(-1)

/** FAULTS_ALL - all devices */
#define FAULTS_ALL	(-2)

/**
 * faults_hang - from now on nothing that is waited for comes to an end
 * @device: of the device with that number, of %FAULTS_ALL, or of %FAULTS_NONE
 */
void faults_hang(int device);

/** FAULTS_BLOCK_MS - longer than anything may wait for a function that does not return */
#define FAULTS_BLOCK_MS	60000

/**
 * faults_block - from now on a function does not return for %FAULTS_BLOCK_MS, or until
 * it is another's turn, or that of %FAULTS_NONE
 */
void faults_block(int call);

/** faults_blocked - how many threads do not get back from it */
uint32_t faults_blocked(void);

/** faults_delay - a function's next call takes so long, once */
void faults_delay(unsigned int call, uint32_t ms);

/** faults_abort - the next command that is waited for has failed on the device */
void faults_abort(void);

/** faults_all_seen - do all functions go through here? Else the one that does not */
const char *faults_all_seen(void);

#endif
