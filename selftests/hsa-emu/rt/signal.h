/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 *
 * Signals: values that somebody waits for
 */
#ifndef RT_SIGNAL_H
#define RT_SIGNAL_H

#include <hsa/amd_hsa_signal.h>
#include <stdbool.h>

struct queue;

/**
 * struct signal - a signal
 * @hw: what an agent would know of it
 * @magic: that it is one, and still is
 * @packets: packets in queues that use it
 * @doorbell: the queue whose doorbell it is
 * @next: in the list of all
 * @next_dead: in the list of those that are destroyed
 */
struct signal {
	amd_signal_t hw;
	unsigned int magic;
	unsigned int packets;
	struct queue *doorbell;
	struct signal *next;
	struct signal *next_dead;
};

void signals_init(void);

/**
 * signals_exit() - end the thread that waits for others' signals, and report
 * what was not destroyed
 */
void signals_exit(void);

/**
 * signal_find() - a signal by its handle
 * @signal: the handle
 *
 * Return: the signal, or NULL if it is none, or none any more
 */
struct signal *signal_find(hsa_signal_t signal);

/**
 * signal_create() - make a signal
 * @value: its value
 *
 * Return: the signal, or NULL without memory
 */
struct signal *signal_create(hsa_signal_value_t value);

/**
 * signal_destroy() - end it
 * @s: the signal
 */
void signal_destroy(struct signal *s);

/**
 * signal_subtract() - what the packet processor does when a packet is done
 * @s: the signal
 *
 * Return: the value before
 */
hsa_signal_value_t signal_subtract(struct signal *s);

/**
 * signal_fail() - what it may do when one has failed
 * @s: the signal
 */
void signal_fail(struct signal *s);

/**
 * signal_value() - its value, acquired
 * @s: the signal
 */
hsa_signal_value_t signal_value(const struct signal *s);

/**
 * signal_sleep() - wait until some signal may have changed, or a little while
 */
void signal_sleep(void);

/**
 * signal_wake() - have everybody look again who waits
 */
void signal_wake(void);

#endif
