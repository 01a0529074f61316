/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the module shows of itself.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_REPORT_SYSFS_H
#define WAVECRYPT_REPORT_SYSFS_H

#include <jansson.h>

/**
 * sysfs_module - everything that the module shows below its device
 * @root: prefix of /sys: "" but for tests
 *
 * Return: an object of files, which are numbers or strings, and of directories,
 * which are objects of files. NULL if there is no module. Queues of CPUs that are not
 * there are left out, unless they have counted something.
 */
json_t *sysfs_module(const char *root);

/** sysfs_mode - the module's mode, or NULL */
json_t *sysfs_mode(const char *root);

#endif
