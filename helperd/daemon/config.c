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
#include "daemon/registry.h"
#include "lib/array.h"
#include "lib/cpulist.h"
#include "lib/log.h"
#include "sched/bins.h"

/**
 * struct setting - a setting
 * @name: its name
 * @offset: where in &struct config
 * @parse: how to read it. Return: NULL, or what is wrong.
 * @min: least number
 * @max: greatest
 */
struct setting {
	const char *name;
	size_t offset;
	const char *(*parse)(void *to, const char *value,
			     const struct setting *s);
	unsigned long min;
	unsigned long max;
};

static const char *parse_number(void *to, const char *value,
				const struct setting *s)
{
	unsigned long n;
	char *end;

	if (!isdigit((unsigned char)value[0]))
		return "not a number";
	errno = 0;
	n = strtoul(value, &end, 10);
	if (*end)
		return "not a number";
	if (errno || n < s->min || n > s->max)
		return "number out of range";
	*(uint32_t *)to = n;
	return NULL;
}

/* "auto", which is 0, or a number. */
static const char *parse_auto(void *to, const char *value,
			      const struct setting *s)
{
	if (strcmp(value, "auto"))
		return parse_number(to, value, s);
	*(uint32_t *)to = 0;
	return NULL;
}

static const char *parse_entries(void *to, const char *value,
				 const struct setting *s)
{
	const char *wrong;
	uint32_t n;

	wrong = parse_auto(&n, value, s);
	if (wrong)
		return wrong;
	if (n & (n - 1))
		return "not a power of two";
	*(uint32_t *)to = n;
	return NULL;
}

static const char *parse_bool(void *to, const char *value,
			      const struct setting *s)
{
	(void)s;
	if (!strcmp(value, "yes"))
		*(bool *)to = true;
	else if (!strcmp(value, "no"))
		*(bool *)to = false;
	else
		return "neither \"yes\" nor \"no\"";
	return NULL;
}

static const char *parse_text(void *to, const char *value,
			      const struct setting *s)
{
	(void)s;
	if (strlen(value) >= SETTING_TEXT)
		return "too long";
	strcpy(to, value);
	return NULL;
}

static const char *parse_path(void *to, const char *value,
			      const struct setting *s)
{
	if (value[0] != '/')
		return "not an absolute path";
	return parse_text(to, value, s);
}

static const char *parse_backend(void *to, const char *value,
				 const struct setting *s)
{
	if (!backend_find(value))
		return "no such backend";
	return parse_text(to, value, s);
}

static const char *parse_transport(void *to, const char *value,
				   const struct setting *s)
{
	(void)s;
	if (!strcmp(value, "device"))
		*(uint32_t *)to = CONFIG_MODULE;
	else if (!strcmp(value, "loopback"))
		*(uint32_t *)to = CONFIG_LOOPBACK;
	else
		return "neither \"device\" nor \"loopback\"";
	return NULL;
}

static const char *parse_schedule(void *to, const char *value,
				  const struct setting *s)
{
	(void)s;
	for (uint32_t i = 0; i <= SCHED_ALL; i++)
		if (!strcmp(value, sched_level_name[i])) {
			*(uint32_t *)to = i;
			return NULL;
		}
	return "none of none, algorithm, algorithm+length, all";
}

static const char *parse_hsa_mode(void *to, const char *value,
				  const struct setting *s)
{
	(void)s;
	for (uint32_t i = 0; i < HSA_MODES; i++)
		if (!strcmp(value, gpu_hsa_mode_name[i])) {
			*(uint32_t *)to = i;
			return NULL;
		}
	return "none of auto, dispatch, persistent";
}

static const char *parse_memory(void *to, const char *value,
				const struct setting *s)
{
	(void)s;
	for (uint32_t i = 0; i < OPENCL_WAYS; i++)
		if (!strcmp(value, opencl_way_name[i])) {
			*(uint32_t *)to = i;
			return NULL;
		}
	return "none of auto, copy, shared, persistent";
}

static const char *parse_range(void *to, const char *value,
			       const struct setting *s)
{
	const char *wrong;
	uint32_t n;

	wrong = parse_number(&n, value, s);
	if (wrong)
		return wrong;
	if (n & (n - 1))
		return "not a power of two";
	*(uint32_t *)to = n;
	return NULL;
}

static const char *parse_cpus(void *to, const char *value,
			      const struct setting *s)
{
	cpu_set_t set;

	(void)s;
	if (!strcmp(value, "auto"))
		CPU_ZERO(&set);
	else if (!cpulist_parse(value, &set, NULL))
		return "not a list of CPUs such as 0-3,8";
	memcpy(to, &set, sizeof(set));
	return NULL;
}

static const char *parse_level(void *to, const char *value,
			       const struct setting *s)
{
	int level = log_level_parse(value);

	(void)s;
	if (level < 0)
		return "none of error, warning, notice, info, debug";
	*(int *)to = level;
	return NULL;
}

#define SETTING(name, field, parse, ...) \
	{ name, offsetof(struct config, field), parse, ##__VA_ARGS__ }

static const struct setting settings[] = {
	SETTING("transport", transport, parse_transport, 0, 0),
	SETTING("device", module, parse_path, 0, 0),
	SETTING("control-socket", control, parse_path, 0, 0),
	SETTING("backend", backend, parse_backend, 0, 0),
	SETTING("user", user, parse_text, 0, 0),
	SETTING("replace", replace, parse_bool, 0, 0),
	SETTING("lock-memory", lock_memory, parse_bool, 0, 0),
	SETTING("seccomp", seccomp, parse_bool, 0, 0),
	SETTING("entries", entries, parse_entries, 16, WAVECRYPT_MAX_ENTRIES),
	SETTING("workers", workers, parse_auto, 1, CPU_SETSIZE),
	SETTING("queues-per-worker", queues_per_worker, parse_number, 1,
		CPU_SETSIZE),
	SETTING("worker-cpus", worker_cpus, parse_cpus, 0, 0),
	SETTING("spin-us", spin_us, parse_number, 0, 1000000),
	SETTING("batch-max", batch_max, parse_number, 1, CHUNK_MAX),
	SETTING("schedule", schedule, parse_schedule, 0, 0),
	SETTING("length-range", length_range, parse_range, SCHED_RANGE_MIN,
		SCHED_RANGE_MAX),
	SETTING("leftover-age", leftover_age, parse_number, 1, 1000),
	SETTING("balance", gpu.balance, parse_bool, 0, 0),
	SETTING("device-retry-ms", gpu.retry_ms, parse_number, 1, 3600000),
	SETTING("device-timeout-ms", gpu.timeout_ms, parse_number, 10,
		600000),
	SETTING("device-chunk", gpu.chunk, parse_number, 64, 65536),
	SETTING("device-chunk-kib", gpu.chunk_kib, parse_number, 128,
		1048576),
	SETTING("device-chunks", gpu.chunks, parse_auto, 1, 64),
	SETTING("device-workers", device_workers, parse_auto, 1, 1024),
	SETTING("hsa-device", gpu.hsa_device, parse_text, 0, 0),
	SETTING("hsa-code", gpu.hsa_code, parse_path, 0, 0),
	SETTING("hsa-mode", gpu.hsa_mode, parse_hsa_mode, 0, 0),
	SETTING("hsa-groups", gpu.hsa_groups, parse_auto, 1, 65536),
	SETTING("opencl-device", gpu.opencl_device, parse_text, 0, 0),
	SETTING("opencl-cache", gpu.opencl_cache, parse_path, 0, 0),
	SETTING("opencl-memory", gpu.opencl_memory, parse_memory, 0, 0),
	SETTING("opencl-groups", gpu.opencl_groups, parse_auto, 1, 65536),
	SETTING("opencl-runs", gpu.opencl_runs, parse_bool, 0, 0),
	SETTING("bell-patience-us", bell_patience_us, parse_number, 0, 1000),
	SETTING("bell-again-us", bell_again_us, parse_number, 100, 1000000),
	SETTING("log-level", log_level, parse_level, 0, 0),
};

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
	va_start(args, fmt);
	vsnprintf(err->text, sizeof(err->text), fmt, args);
	va_end(args);
	return false;
}

static const struct setting *setting_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(settings); i++)
		if (!strcmp(settings[i].name, name))
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

bool config_line(struct config *c, const char *line, struct config_error *err)
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
	wrong = s->parse((char *)c + s->offset, value, s);
	if (wrong && s->max)
		return complain(err, value_at, "%s: \"%s\": %s (%lu to %lu)",
				name, value, wrong, s->min, s->max);
	if (wrong)
		return complain(err, value_at, "%s: \"%s\": %s", name, value,
				wrong);
	return true;
}

bool config_file(struct config *c, const char *path, struct config_error *err)
{
	FILE *f = fopen(path, "re");
	unsigned int line = 0;
	char *text = NULL;
	size_t size = 0;
	bool good = true;
	ssize_t n;

	if (!f)
		return complain(err, 0, "%s", strerror(errno));
	while (good && (errno = 0, n = getline(&text, &size, f)) >= 0) {
		line++;
		if (strlen(text) != (size_t)n)
			good = complain(err, strlen(text), "a NUL character");
		else
			good = config_line(c, text, err);
		if (!good)
			err->line = line;
	}
	if (good && errno)
		good = complain(err, 0, "%s", strerror(errno));
	free(text);
	fclose(f);
	return good;
}
