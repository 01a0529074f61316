/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 *
 * Violations: what works here, or would on some machine, and is wrong
 */
#ifndef RT_REPORT_H
#define RT_REPORT_H

/**
 * report() - say what is wrong
 * @fmt: as of printf(), without a newline
 *
 * To stderr, and to the file that HSA_EMU_REPORT names: a test that found
 * nothing wrong finds no such file. HSA_EMU_ABORT=1: and abort.
 */
void report(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/**
 * report_append() - add a line to a file that an environment variable names
 * @variable: the environment variable; nothing happens without it
 * @line: the line, without a newline
 */
void report_append(const char *variable, const char *line);

#endif
