/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Errands: what may never come to an end, as a call of a device's driver, each on a
 * thread of its own. Who sent one waits for it only for so long, and then leaves it.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_LIB_ERRAND_H
#define WAVECRYPT_LIB_ERRAND_H

#include <stdbool.h>
#include <stdint.h>

struct errand;

/**
 * errand_setup - remember where this thread may run
 *
 * Once, before there are others. Errands may run there, too, whoever sends them: a
 * worker has a CPU of its own, on which a driver's threads, which begin as whoever
 * starts them, would be in its way for good.
 */
void errand_setup(void);

/** errand_apart - do errands run there, and not where who sends them does? */
bool errand_apart(void);

/**
 * errand_start - send one
 * @run: what it does
 * @done: what is left to do when it has ended, if nobody waits for it any more; on
 *	its thread
 * @context: for both
 *
 * Return: to be given to errand_join() or errand_leave(); NULL: no thread.
 */
struct errand *errand_start(void (*run)(void *context), void (*done)(void *context),
			    void *context);

/**
 * errand_join - wait until it has ended
 * @e: the errand
 * @ns: for so long
 *
 * Return: it has, and there is nothing left of it. Else it goes on.
 */
bool errand_join(struct errand *e, uint64_t ns);

/** errand_leave - wait for it no longer: it looks after itself */
void errand_leave(struct errand *e);

/** errands_join - wait for those that were left, for so long; false: some go on */
bool errands_join(uint64_t ns);

#endif
