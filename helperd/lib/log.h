/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Messages of the daemon.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_LIB_LOG_H
#define WAVECRYPT_LIB_LOG_H

#include <syslog.h>

/**
 * log_setup - choose what is said, and how
 * @name: program name in front of each message
 * @level: least important level that is still said: LOG_ERR ... LOG_DEBUG
 *
 * Messages go to stderr. Under systemd (JOURNAL_STREAM is set) each carries
 * the "<level>" prefix that the journal takes for its priority.
 */
void log_setup(const char *name, int level);

/**
 * log_to_syslog - from now on to syslog
 *
 * For when stderr is about to go.
 */
void log_to_syslog(void);

/** log_level_parse - level of "error", "warning", "notice", "info", "debug", or -1 */
int log_level_parse(const char *text);

/** log_level_name - the reverse */
const char *log_level_name(int level);

/** LOG_LEVELS_WANTED - what a level should have been */
#define LOG_LEVELS_WANTED	"none of error, warning, notice, info, debug"

/** log_level_set - from now on, what is this important is said; from any thread */
void log_level_set(int level);

/** log_msg - say one line; use the macros below */
void log_msg(int level, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#define log_err(...)	log_msg(LOG_ERR, __VA_ARGS__)
#define log_warn(...)	log_msg(LOG_WARNING, __VA_ARGS__)
#define log_notice(...)	log_msg(LOG_NOTICE, __VA_ARGS__)
#define log_info(...)	log_msg(LOG_INFO, __VA_ARGS__)
#define log_debug(...)	log_msg(LOG_DEBUG, __VA_ARGS__)

#endif
