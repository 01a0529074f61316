/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Processors that run. Those that are offline have their queues, too, but workers are placed
 * by those that are online; and who is pinned to one that goes offline is so no more. When
 * others are online, because SMT was switched say, workers are to be placed anew.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_DAEMON_ONLINE_H
#define WAVECRYPT_DAEMON_ONLINE_H

#include <sched.h>
#include <stdbool.h>

/**
 * struct online - processors that run
 * @placed: when workers were placed
 * @seen: when it was last looked
 */
struct online {
	cpu_set_t placed;
	cpu_set_t seen;
};

/**
 * online_cpus - which processors run
 * @sysfs: where sysfs is mounted
 * @set: result
 *
 * Return: false if sysfs does not say; @set is undefined then.
 */
bool online_cpus(const char *sysfs, cpu_set_t *set);

/**
 * online_note - workers are being placed by those that run now
 * @o: where to keep these; all where sysfs does not say which
 * @sysfs: where sysfs is mounted
 */
void online_note(struct online *o, const char *sysfs);

/**
 * online_changed - look whether others run by now, and did so at the last look
 * @o: those that ran then
 * @sysfs: where sysfs is mounted
 *
 * They come and go one after the other.
 */
bool online_changed(struct online *o, const char *sysfs);

#endif
