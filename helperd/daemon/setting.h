/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Kinds of settings: from text, and back.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_DAEMON_SETTING_H
#define WAVECRYPT_DAEMON_SETTING_H

#include <stddef.h>

struct setting;

/**
 * struct setting_kind - how a setting's value is written
 * @parse: read it. Return: NULL, or what is wrong; nothing has changed then.
 * @format: write it, as @parse reads it; "" if it is not set
 */
struct setting_kind {
	const char *(*parse)(void *to, const char *value,
			     const struct setting *s);
	void (*format)(const struct setting *s, const void *from, char *out,
		       size_t size);
};

/**
 * enum setting_change - what it takes for another value to apply
 * @SETTING_SAME: it is none
 * @SETTING_RESTART: the daemon's start
 * @SETTING_WORKERS: its workers' start
 * @SETTING_NOW: nothing
 */
enum setting_change {
	SETTING_SAME,
	SETTING_RESTART,
	SETTING_WORKERS,
	SETTING_NOW,
};

/**
 * struct setting - a setting
 * @name: its name
 * @old: what it was called before, and is still understood; or NULL
 * @offset: where in &struct config
 * @size: its size there
 * @kind: how it is written
 * @change: what it takes for another value to apply
 * @min: least number
 * @max: greatest
 * @words: or what it may be, in order of its value
 * @nr_words: how many
 * @old_word: what the first of them was called before; or NULL
 * @wanted: and what is wrong with others
 */
struct setting {
	const char *name;
	const char *old;
	size_t offset;
	size_t size;
	const struct setting_kind *kind;
	enum setting_change change;
	unsigned long min;
	unsigned long max;
	const char *const *words;
	size_t nr_words;
	const char *old_word;
	const char *wanted;
};

/** setting_number - a number from @min to @max */
extern const struct setting_kind setting_number;
/** setting_auto - "auto", which is 0, or a number */
extern const struct setting_kind setting_auto;
/** setting_power - a power of two */
extern const struct setting_kind setting_power;
/** setting_auto_power - "auto", or a power of two */
extern const struct setting_kind setting_auto_power;
/** setting_bool - "yes" or "no" */
extern const struct setting_kind setting_bool;
/** setting_text - anything */
extern const struct setting_kind setting_text;
/** setting_path - an absolute path */
extern const struct setting_kind setting_path;
/** setting_cpus - "auto", which is none, or a list of CPUs */
extern const struct setting_kind setting_cpus;
/** setting_level - how important a message is */
extern const struct setting_kind setting_level;
/** setting_backend - the name of one */
extern const struct setting_kind setting_backend;
/** setting_word - one of @words */
extern const struct setting_kind setting_word;

#endif
