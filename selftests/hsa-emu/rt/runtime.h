/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 *
 * The runtime's life, and what every function begins with
 */
#ifndef RT_RUNTIME_H
#define RT_RUNTIME_H

#include <stdbool.h>

#include <hsa/hsa.h>

#include "../gcn/types.h"

/* <hsa/hsa.h> declares these without a prototype. */
hsa_status_t hsa_init(void);
hsa_status_t hsa_shut_down(void);

/**
 * api_enter() - begin a function of the API
 * @function: its name
 *
 * Return: HSA_STATUS_SUCCESS, or what it is to return at once: it is told to
 * fail, or hsa_init() was not called
 */
hsa_status_t api_enter(const char *function);

/**
 * runtime_event() - have something done by the thread that calls back
 * @function: what it is to do
 * @arg: with what
 *
 * For callbacks that must not come from whoever found the reason for them.
 */
void runtime_event(void (*function)(void *arg), void *arg);

#endif
