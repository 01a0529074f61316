/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Processors and network devices that come while the machine runs. The module makes a
 * queue for each processor that is present when a helper attaches, be it offline (online.h
 * sees when that changes); one that comes later serves its packets inline, until a helper
 * attaches anew. And it has few slots for jumbo packets where no device had a large MTU then.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_DAEMON_NEWCOMERS_H
#define WAVECRYPT_DAEMON_NEWCOMERS_H

#include <sched.h>
#include <stdbool.h>

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

/**
 * newcomers_jumbo - does the module say that jumbo packets have outgrown the channel?
 * @sysfs: where sysfs is mounted
 *
 * Return: false as well for a module that does not know.
 */
bool newcomers_jumbo(const char *sysfs);

#endif
