/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Telling the service manager: the sd_notify(3) protocol.
 *
 * A datagram to a socket that is opened before privileges are dropped; it needs
 * no library, and no system call but send() later on.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_DAEMON_NOTIFY_H
#define WAVECRYPT_DAEMON_NOTIFY_H

#include <stdint.h>

/** notify_open - a socket to $NOTIFY_SOCKET, or -1 if nobody wants to know */
int notify_open(void);

/**
 * notify_send - say "READY=1" and the like; @fd may be -1
 *
 * One who does not listen is not waited for.
 */
void notify_send(int fd, const char *what);

/** notify_reloading - settings are read again; "READY=1" ends that */
void notify_reloading(int fd);

/** notify_patience - the start may take so much longer, from now on */
void notify_patience(int fd, uint64_t ns);

/**
 * notify_watchdog_ns - how often "WATCHDOG=1" is to be said, at least
 *
 * Return: nanoseconds, 0: never.
 */
uint64_t notify_watchdog_ns(void);

#endif
