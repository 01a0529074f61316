/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Settings.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_DAEMON_CONFIG_H
#define WAVECRYPT_DAEMON_CONFIG_H

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backends/gpu/settings.h"
#include "lib/setting.h"

/** CONFIG_DEFAULT - file that is read if there is one and no other is named */
#define CONFIG_DEFAULT	"/etc/wavecrypt/wavecryptd.conf"

/** CONFIG_CONTROL - where the daemon listens unless told otherwise */
#define CONFIG_CONTROL	"/run/wavecrypt/control"

/** enum config_transport - what to attach to */
enum config_transport {
	CONFIG_MODULE,
	CONFIG_LOOPBACK,
};

/**
 * struct config - all settings; wavecryptd.conf(5) says what each is for
 */
struct config {
	uint32_t transport;
	char module[SETTING_TEXT];
	char control[SETTING_TEXT];
	char backend[SETTING_TEXT];
	char user[SETTING_TEXT];
	bool replace;
	bool lock_memory;
	bool seccomp;
	uint32_t entries;
	uint32_t workers;
	uint32_t queues_per_worker;
	cpu_set_t worker_cpus;
	uint32_t spin_us;
	uint32_t batch_max;
	uint32_t schedule;
	uint32_t length_range;
	uint32_t leftover_age;
	uint32_t device_workers;
	struct gpu_settings gpu;
	uint32_t bell_patience_us;
	uint32_t bell_again_us;
	int log_level;
};

/**
 * struct config_error - what is wrong, and where
 * @line: counted from 1; 0 if it is not about a line
 * @column: counted from 1
 * @text: what
 */
struct config_error {
	unsigned int line;
	unsigned int column;
	char text[256];
};

/** config_init - defaults */
void config_init(struct config *c);

/**
 * config_line - take one "name = value" line
 * @c: settings to change
 * @line: the line; may be empty or a comment
 * @err: filled in, but for @line, if it is wrong
 *
 * Return: false if it is wrong; @c is as it was then.
 */
bool config_line(struct config *c, const char *line, struct config_error *err);

/**
 * config_file - take a file
 * @c: settings to change
 * @path: the file
 * @err: filled in if something is wrong
 *
 * Return: false if it is; -ENOENT and the like are told by @err->line being 0.
 */
bool config_file(struct config *c, const char *path, struct config_error *err);

#endif
