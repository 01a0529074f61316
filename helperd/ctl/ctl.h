/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * wavecryptctl: where it looks, and what it makes of it.
 *
 * Everything is first collected as JSON, which is what --json prints; text is
 * written from that alone, so that neither says what the other does not.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_CTL_H
#define WAVECRYPT_CTL_H

#include <jansson.h>

/**
 * struct ctl - where to look
 * @root: prefix of /sys and /proc: "" but for tests
 * @socket: the daemon's control socket
 */
struct ctl {
	const char *root;
	const char *socket;
};

/**
 * client_ask - ask the daemon
 * @c: where it is
 * @request: what, in one word
 * @why: where to put why there is no answer
 *
 * Return: its answer, or NULL.
 */
json_t *client_ask(const struct ctl *c, const char *request, const char **why);

/**
 * sysfs_module - everything that the module shows below its device
 * @c: where
 *
 * Return: an object of files, which are numbers or strings, and of directories,
 * which are objects of files. NULL if there is no module.
 */
json_t *sysfs_module(const struct ctl *c);

/** sysfs_mode - the module's mode, or NULL */
json_t *sysfs_mode(const struct ctl *c);

/**
 * proc_crypto_aeads - AEADs of the kernel's crypto API
 * @c: where
 *
 * Return: an array of objects with name, driver, module, priority, users and
 * selftest.
 */
json_t *proc_crypto_aeads(const struct ctl *c);

/** status_collect - what "status" says */
json_t *status_collect(const struct ctl *c);

/** status_print - the same as text */
void status_print(const json_t *status);

/** stats_collect - what "stats" says */
json_t *stats_collect(const struct ctl *c);

/** stats_print - the same as text */
void stats_print(const json_t *stats);

#endif
