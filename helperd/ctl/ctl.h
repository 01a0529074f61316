/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * wavecryptctl: where it looks, and what it makes of it.
 *
 * Everything is first collected as JSON, which is what --json prints; text is
 * written from that alone, so that neither says what the other does not.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_CTL_CTL_H
#define WAVECRYPT_CTL_CTL_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct children;

/** CTL_ARGS - most arguments of a command */
#define CTL_ARGS	64

/**
 * struct ctl - where to look, and how to say it
 * @root: prefix of /sys and /proc: "" but for tests
 * @socket: the daemon's control socket
 * @json: as JSON
 * @output: file to write to, or NULL: standard output
 * @sas: with SAs
 * @http: as the answer to an HTTP request on standard input
 * @interval: seconds between samples
 * @children: names of SAs that are known; NULL: without
 * @count: how many times to show something, 0: until told to quit; or how many
 *	packets to send, 0: some
 * @args: what follows the command
 * @nr_args: how many
 */
struct ctl {
	const char *root;
	const char *socket;
	bool json;
	const char *output;
	bool sas;
	bool http;
	double interval;
	struct children *children;
	unsigned int count;
	const char *args[CTL_ARGS];
	unsigned int nr_args;
};

/**
 * client_connect - call somebody
 * @path: a Unix socket
 * @patience_ms: how long one waits for a connection, and to be heard
 *
 * Return: a connection, to be closed; -1, with errno: there is none.
 */
int client_connect(const char *path, unsigned int patience_ms);

/**
 * client_receive - some of what was sent; no signal disturbs it
 * @fd: a connection
 * @to: where to put it
 * @size: room there
 * @deadline: how long to wait, in nanoseconds of clock_ns()
 *
 * Return: as recv(); with errno ETIMEDOUT nothing has come by then.
 */
ssize_t client_receive(int fd, void *to, size_t size, uint64_t deadline);

/**
 * control_at - what a terminal might take for a command
 * @s: where to look
 *
 * Return: how many bytes the control character there has, of ASCII's or of Unicode's; 0:
 * there is none.
 */
size_t control_at(const char *s);

/** CLIENT_PATIENCE_MS - a daemon that has not said all by then does not answer */
#define CLIENT_PATIENCE_MS	5000

/** client_late - why there is no answer, if it was asked, and may do what it was asked for */
extern const char *const client_late;

/** CLIENT_NOT_RUNNING - why there is no answer, if that is all there is to say */
#define CLIENT_NOT_RUNNING	"not running"
/** CLIENT_NOBODY - among the words for why, if somebody serves the module all the same */
#define CLIENT_NOBODY		"nobody answers at"

/**
 * client_ask - ask the daemon
 * @c: where it is
 * @request: what
 * @why: where to put why there is no answer; good until it is asked again
 *
 * Return: its answer, or NULL.
 */
json_t *client_ask(const struct ctl *c, const char *request, const char **why);

/**
 * proc_crypto_aeads - AEADs of the kernel's crypto API
 * @c: where
 *
 * Return: an array of objects with name, driver, module, priority, users and
 * selftest.
 */
json_t *proc_crypto_aeads(const struct ctl *c);

/**
 * proc_crypto_preferred - what the kernel would rather use
 * @aeads: what proc_crypto_aeads() said
 * @alg: one of them
 *
 * Return: the best other implementation of the same, if it is better; or NULL.
 */
const json_t *proc_crypto_preferred(const json_t *aeads, const json_t *alg);

/**
 * transforms - what each of the module's transforms has done
 * @c: where
 *
 * Return: an array of objects with the columns of /proc/wavecrypt, without
 * those that are "-"; NULL if it cannot be read.
 */
json_t *transforms(const struct ctl *c);

/**
 * status_look - what "status" makes something of: of the module, and of SAs
 * @c: where, and which SAs
 *
 * Return: an object. "filtered" there: SAs are those that were asked for; "partial":
 * and there may be more of them, that could not be seen or known by name.
 */
json_t *status_look(const struct ctl *c);

/** status_collect - what "status" says; takes the interval between two looks */
json_t *status_collect(const struct ctl *c);

/** status_print - the same as text */
void status_print(const json_t *status);

/** stats_collect - what "stats" says */
json_t *stats_collect(const struct ctl *c);

/** stats_print - the same as text */
void stats_print(const json_t *stats);

/** route_collect - what "route" says */
json_t *route_collect(const struct ctl *c);

/** route_print - the same as text */
void route_print(const json_t *route);

/** devices_collect - what "devices" says: what each kind of backend could use */
json_t *devices_collect(const struct ctl *c);

/** devices_print - the same as text */
void devices_print(const json_t *devices);

/** metrics_run - "metrics": to standard output, or to a file */
int metrics_run(const struct ctl *c);

/**
 * retire_collect - make the module's algorithms the last choice for new SAs
 * @c: where
 *
 * Return: an object: "retired", whether that was done, "why" not, "drivers"
 * that were, and how many "transforms" of the module are in use.
 */
json_t *retire_collect(const struct ctl *c);

/** retire_print - the same as text */
void retire_print(const json_t *answer);

#endif
