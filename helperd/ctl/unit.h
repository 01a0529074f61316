/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What systemd was told of the daemon: its unit, and drop-ins for it.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_CTL_UNIT_H
#define WAVECRYPT_CTL_UNIT_H

#include <jansson.h>
#include <stdbool.h>

/** UNIT_DROP_INS - where an administrator's drop-ins are */
#define UNIT_DROP_INS	"/etc/systemd/system/wavecryptd.service.d"

/**
 * unit_read - the unit with its drop-ins
 * @root: prefix of paths: "" but for tests
 *
 * Return: an object of settings, each an array of what it was set to, in that order;
 * NULL: there is no unit.
 */
json_t *unit_read(const char *root);

/**
 * unit_installed - where installations have put the unit
 * @root: prefix of paths: "" but for tests
 *
 * Return: an array of paths. Of several, systemd takes the first.
 */
json_t *unit_installed(const char *root);

/** unit_last - what a setting was set to last, or "" */
const char *unit_last(const json_t *unit, const char *setting);

/**
 * unit_lacks - which settings of a drop-in are not in force
 * @unit: the unit
 * @path: the drop-in
 *
 * Return: an array of lines; NULL: it cannot be read.
 */
json_t *unit_lacks(const json_t *unit, const char *path);

#endif
