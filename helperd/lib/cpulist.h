/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * CPU lists as the kernel writes them: "0-3,8".
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_LIB_CPULIST_H
#define WAVECRYPT_LIB_CPULIST_H

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>

/**
 * cpulist_parse - read a list
 * @text: the list; a newline at its end is fine
 * @set: result
 * @at: where to put the offset of what is wrong, or NULL
 *
 * Return: false if it is not a list, or names a CPU beyond CPU_SETSIZE.
 */
bool cpulist_parse(const char *text, cpu_set_t *set, size_t *at);

/**
 * cpulist_read - read the list that a file begins with
 * @path: the file, one of sysfs'
 * @set: result
 *
 * Return: false if there is no such file, or none that is a list.
 */
bool cpulist_read(const char *path, cpu_set_t *set);

/** CPULIST_SIZE - room for any list, be it of two in three, as "1000-1001,1003-1004" */
#define CPULIST_SIZE	(3 * CPU_SETSIZE)

/** cpulist_format - write a list; of one that does not fit the beginning, and "..." */
void cpulist_format(const cpu_set_t *set, char *out, size_t size);

#endif
