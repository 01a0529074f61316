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
#include "daemon/setting.h"
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

/** CONFIG_SETTINGS - how many there are */
#define CONFIG_SETTINGS	37

/**
 * enum config_from - who gave a setting its value
 * @CONFIG_DEFAULTS: nobody
 * @CONFIG_FILE: the configuration file
 * @CONFIG_COMMAND: the command line
 * @CONFIG_OPERATOR: wavecryptctl, since the daemon runs
 */
enum config_from {
	CONFIG_DEFAULTS,
	CONFIG_FILE,
	CONFIG_COMMAND,
	CONFIG_OPERATOR,
};

/**
 * struct config_origin - where a setting's value is from
 * @from: who gave it
 * @line: of the file
 */
struct config_origin {
	enum config_from from;
	unsigned int line;
};

/**
 * struct config - all settings; wavecryptd.conf(5) says what each is for
 */
struct config {
	uint32_t transport;
	char module[SETTING_TEXT];
	char control[SETTING_TEXT];
	char control_group[SETTING_TEXT];
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
	struct config_origin origin[CONFIG_SETTINGS];
};

/**
 * struct config_error - what is wrong, and where
 * @line: counted from 1; 0 if it is not about a line
 * @column: counted from 1
 * @missing: there is no such file
 * @text: what
 */
struct config_error {
	unsigned int line;
	unsigned int column;
	bool missing;
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
 * Return: false if it is; where the file cannot be read, @err->line is 0.
 */
bool config_file(struct config *c, const char *path, struct config_error *err);

/** CONFIG_VALUE - room for a value as text */
#define CONFIG_VALUE	4096

/**
 * struct config_shown - a setting as text
 * @name: its name
 * @value: what it is, or "": not set
 * @origin: where that is from
 */
struct config_shown {
	const char *name;
	char value[CONFIG_VALUE];
	struct config_origin origin;
};

/** config_show - the setting @i, from 0 to %CONFIG_SETTINGS - 1, as text */
void config_show(const struct config *c, size_t i, struct config_shown *out);

/** config_change - what it takes for another value of the setting @i to apply */
enum setting_change config_change(size_t i);

/** config_told - wavecryptctl has set it, of a setting that there is */
void config_told(struct config *c, const char *name);

/**
 * config_adopt - take a setting over, if a running daemon can
 * @running: its settings
 * @read: others, read anew
 * @i: which setting
 *
 * Return: what it takes to apply it. It was taken over, but for
 * %SETTING_RESTART.
 */
enum setting_change config_adopt(struct config *running,
				 const struct config *read, size_t i);

#endif
