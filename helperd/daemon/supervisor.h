/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The daemon's life: attach, serve, attach again if the channel breaks, stop.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_DAEMON_SUPERVISOR_H
#define WAVECRYPT_DAEMON_SUPERVISOR_H

#include "daemon/read.h"

/**
 * supervisor_run - be the daemon
 * @config: how; changes when settings are read again
 * @source: where it comes from
 * @ready: called once, when requests are being served
 * @context: passed to it
 *
 * Return: exit status, see wavecryptd(8).
 */
int supervisor_run(struct config *config, const struct config_source *source,
		   void (*ready)(void *context), void *context);

#endif
