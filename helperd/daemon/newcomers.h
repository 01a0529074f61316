/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Processors that are added to the machine while it runs. The module makes a queue for
 * each that is there when a helper attaches; one that comes later serves its packets
 * inline, until a helper attaches anew.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_DAEMON_NEWCOMERS_H
#define WAVECRYPT_DAEMON_NEWCOMERS_H

#include <sched.h>

#include "channel/channel.h"

/**
 * newcomers_find - processors that run, and have no queue
 * @ch: the channel
 * @sysfs: where sysfs is mounted
 * @set: result
 *
 * Return: how many; none as well where sysfs does not say which processors run.
 */
int newcomers_find(const struct channel *ch, const char *sysfs, cpu_set_t *set);

#endif
