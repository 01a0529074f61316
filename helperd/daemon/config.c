// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lines of "name = value"; '#' starts a comment. Whatever is not understood is
 * an error: a setting that is misspelt must not silently not apply.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/config.h"
#include "daemon/setting.h"
#include "lib/array.h"
#include "lib/log.h"
#include "sched/bins.h"

#define SETTING(text, field, how, when, ...) {				\
	.name = (text),							\
	.offset = offsetof(struct config, field),			\
	.size = sizeof(((struct config *)NULL)->field),			\
	.kind = &setting_##how,						\
	.change = SETTING_##when,					\
	##__VA_ARGS__							\
}

#define WORDS(names, wrong) \
	.words = (names), .nr_words = ARRAY_SIZE(names), .wanted = (wrong)

static const char *const transports[] = {
	[CONFIG_MODULE] = "module",
	[CONFIG_LOOPBACK] = "loopback",
};

static const struct setting settings[] = {
	SETTING("transport", transport, word, RESTART,
		WORDS(transports, "neither \"module\" nor \"loopback\""),
		.old_word = "device"),
	SETTING("module", module, path, RESTART, .old = "device"),
	SETTING("control-socket", control, path, RESTART),
	SETTING("control-group", control_group, text, RESTART),
	SETTING("backend", backend, backend, RESTART),
	SETTING("user", user, text, RESTART),
	SETTING("replace", replace, bool, RESTART),
	SETTING("lock-memory", lock_memory, bool, RESTART),
	SETTING("seccomp", seccomp, bool, RESTART),
	SETTING("entries", entries, auto_power, RESTART,
		.min = 16, .max = WAVECRYPT_MAX_ENTRIES),
	SETTING("workers", workers, auto, WORKERS,
		.min = 1, .max = CPU_SETSIZE),
	SETTING("queues-per-worker", queues_per_worker, number, WORKERS,
		.min = 1, .max = CPU_SETSIZE),
	SETTING("worker-cpus", worker_cpus, cpus, WORKERS),
	SETTING("spin-us", spin_us, number, WORKERS,
		.min = 0, .max = 1000000),
	SETTING("batch-max", batch_max, number, WORKERS,
		.min = 1, .max = CHUNK_MAX),
	SETTING("schedule", schedule, word, WORKERS,
		WORDS(sched_level_name,
		      "none of none, algorithm, algorithm+length, all")),
	SETTING("length-range", length_range, power, WORKERS,
		.min = SCHED_RANGE_MIN, .max = SCHED_RANGE_MAX),
	SETTING("leftover-age", leftover_age, number, WORKERS,
		.min = 1, .max = 1000),
	SETTING("balance", gpu.balance, bool, RESTART),
	SETTING("device-retry-ms", gpu.retry_ms, number, WORKERS,
		.min = 1, .max = 3600000),
	SETTING("device-timeout-ms", gpu.timeout_ms, number, RESTART,
		.min = 10, .max = 600000),
	SETTING("device-chunk", gpu.chunk, number, RESTART,
		.min = 64, .max = 65536),
	SETTING("device-chunk-kib", gpu.chunk_kib, number, RESTART,
		.min = 128, .max = 1048576),
	SETTING("device-chunks", gpu.chunks, auto, RESTART,
		.min = 1, .max = 64),
	SETTING("device-workers", device_workers, auto, WORKERS,
		.min = 1, .max = 1024),
	SETTING("hsa-device", gpu.hsa_device, text, RESTART),
	SETTING("hsa-code", gpu.hsa_code, path, RESTART),
	SETTING("hsa-mode", gpu.hsa_mode, word, RESTART,
		WORDS(gpu_hsa_mode_name, "none of auto, dispatch, persistent")),
	SETTING("hsa-groups", gpu.hsa_groups, auto, RESTART,
		.min = 1, .max = 65536),
	SETTING("opencl-device", gpu.opencl_device, text, RESTART),
	SETTING("opencl-cache", gpu.opencl_cache, path, RESTART),
	SETTING("opencl-memory", gpu.opencl_memory, word, RESTART,
		WORDS(opencl_way_name, "none of auto, copy, shared, persistent")),
	SETTING("opencl-groups", gpu.opencl_groups, auto, RESTART,
		.min = 1, .max = 65536),
	SETTING("opencl-runs", gpu.opencl_runs, bool, RESTART),
	SETTING("bell-patience-us", bell_patience_us, number, WORKERS,
		.min = 0, .max = 1000),
	SETTING("bell-again-us", bell_again_us, number, WORKERS,
		.min = 100, .max = 1000000),
	SETTING("log-level", log_level, level, NOW),
};

_Static_assert(ARRAY_SIZE(settings) == CONFIG_SETTINGS,
	       "struct config has room for where each comes from");

void config_init(struct config *c)
{
	memset(c, 0, sizeof(*c));
	c->transport = CONFIG_MODULE;
	strcpy(c->module, WAVECRYPT_DEVICE);
	strcpy(c->control, CONFIG_CONTROL);
	strcpy(c->backend, "cpu");
	c->lock_memory = true;
	c->seccomp = true;
	c->queues_per_worker = 4;
	c->spin_us = 50;
	c->batch_max = 64;
	c->schedule = SCHED_ALL;
	c->length_range = 256;
	c->leftover_age = 4;
	c->gpu.balance = true;
	c->gpu.retry_ms = 10000;
	c->gpu.timeout_ms = 1000;
	c->gpu.chunk = 4096;
	c->gpu.chunk_kib = 8192;
	strcpy(c->gpu.hsa_device, "auto");
	strcpy(c->gpu.hsa_code, WAVECRYPT_LIBDIR "/wavecrypt");
	strcpy(c->gpu.opencl_device, "auto");
	strcpy(c->gpu.opencl_cache, "/var/cache/wavecrypt");
	c->gpu.opencl_runs = true;
	c->bell_patience_us = 4;
	c->bell_again_us = 1000;
	c->log_level = LOG_INFO;
}

static bool complain(struct config_error *err, size_t column, const char *fmt,
		     ...)
	__attribute__((format(printf, 3, 4)));

static bool complain(struct config_error *err, size_t column, const char *fmt,
		     ...)
{
	va_list args;

	err->line = 0;
	err->column = column + 1;
	err->missing = false;
	va_start(args, fmt);
	vsnprintf(err->text, sizeof(err->text), fmt, args);
	va_end(args);
	return false;
}

static const struct setting *setting_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(settings); i++)
		if (!strcmp(settings[i].name, name) ||
		    (settings[i].old && !strcmp(settings[i].old, name)))
			return &settings[i];
	return NULL;
}

/* Offset of the first character from @at on that is not a blank. */
static size_t skip_blanks(const char *line, size_t at)
{
	while (isspace((unsigned char)line[at]))
		at++;
	return at;
}

/* Copy line[from..to), less blanks at its end. false: does not fit. */
static bool cut(const char *line, size_t from, size_t to, char *out,
		size_t size)
{
	while (to > from && isspace((unsigned char)line[to - 1]))
		to--;
	if (to - from >= size)
		return false;
	memcpy(out, line + from, to - from);
	out[to - from] = '\0';
	return true;
}

static bool take_line(struct config *c, const char *line,
		      struct config_origin origin, struct config_error *err)
{
	size_t name_at = skip_blanks(line, 0), value_at;
	size_t end = strcspn(line, "#"), equals = strcspn(line, "=");
	char name[64], value[512];
	const struct setting *s;
	const char *wrong;

	if (name_at >= end)
		return true;
	if (equals >= end)
		return complain(err, name_at, "expected \"name = value\"");
	value_at = skip_blanks(line, equals + 1);
	if (!cut(line, name_at, equals, name, sizeof(name)))
		return complain(err, name_at, "name too long");
	s = setting_find(name);
	if (!s)
		return complain(err, name_at, "unknown setting \"%s\"", name);
	if (value_at >= end)
		return complain(err, equals, "%s: value missing", name);
	if (!cut(line, value_at, end, value, sizeof(value)))
		return complain(err, value_at, "%s: too long", name);
	wrong = s->kind->parse((char *)c + s->offset, value, s);
	if (wrong && s->max)
		return complain(err, value_at, "%s: \"%s\": %s (%lu to %lu)",
				name, value, wrong, s->min, s->max);
	if (wrong)
		return complain(err, value_at, "%s: \"%s\": %s", name, value,
				wrong);
	c->origin[s - settings] = origin;
	return true;
}

bool config_line(struct config *c, const char *line, struct config_error *err)
{
	struct config_origin command = { .from = CONFIG_COMMAND };

	return take_line(c, line, command, err);
}

bool config_file(struct config *c, const char *path, struct config_error *err)
{
	FILE *f = fopen(path, "re");
	unsigned int line = 0;
	char *text = NULL;
	size_t size = 0;
	bool good = true;
	ssize_t n;

	if (!f) {
		bool missing = errno == ENOENT;

		complain(err, 0, "%s", strerror(errno));
		err->missing = missing;
		return false;
	}
	while (good && (errno = 0, n = getline(&text, &size, f)) >= 0) {
		line++;
		if (strlen(text) != (size_t)n)
			good = complain(err, strlen(text), "a NUL character");
		else
			good = take_line(c, text,
					 (struct config_origin){
						.from = CONFIG_FILE,
						.line = line,
					 }, err);
		if (!good)
			err->line = line;
	}
	if (good && errno)
		good = complain(err, 0, "%s", strerror(errno));
	free(text);
	fclose(f);
	return good;
}

void config_show(const struct config *c, size_t i, struct config_shown *out)
{
	const struct setting *s = &settings[i];

	out->name = s->name;
	out->origin = c->origin[i];
	s->kind->format(s, (const char *)c + s->offset, out->value,
			sizeof(out->value));
}

enum setting_change config_change(size_t i)
{
	return settings[i].change;
}

void config_told(struct config *c, const char *name)
{
	c->origin[setting_find(name) - settings].from = CONFIG_OPERATOR;
}

enum setting_change config_adopt(struct config *running,
				 const struct config *read, size_t i)
{
	const struct setting *s = &settings[i];
	const char *from = (const char *)read + s->offset;
	char *to = (char *)running + s->offset;
	struct config_shown before, after;

	config_show(running, i, &before);
	config_show(read, i, &after);
	if (!strcmp(before.value, after.value)) {
		running->origin[i] = read->origin[i];
		return SETTING_SAME;
	}
	if (s->change != SETTING_RESTART) {
		memcpy(to, from, s->size);
		running->origin[i] = read->origin[i];
	}
	return s->change;
}
