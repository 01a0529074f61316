/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Giving up what the daemon does not need.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_DAEMON_HARDEN_H
#define WAVECRYPT_DAEMON_HARDEN_H

#include <stdbool.h>

/**
 * harden_memory - keys and packets are not to reach a disk
 * @lock: no page is to be swapped out
 *
 * No core dumps, no ptrace by other processes of the user. Called first.
 */
void harden_memory(bool lock);

/** HARDEN_USER - whom root becomes if not told otherwise: the service's user */
#define HARDEN_USER	"wavecrypt"

/**
 * harden_user - whom the daemon becomes that root starts
 * @user: as it was told, or ""
 *
 * Return: @user, or else %HARDEN_USER, or "": there is no such user, and it stays root.
 */
const char *harden_user(const char *user);

/**
 * harden_privileges - become unprivileged
 * @user: user to become; "": %HARDEN_USER, if we are root and there is that user
 *
 * Drops every capability, for good. Called when everything is open, and before
 * there are threads.
 *
 * Return: false, with a message logged, if it failed: it is not safe to go on.
 */
bool harden_privileges(const char *user);

/**
 * harden_syscalls - from now on only the system calls of the running daemon
 * @driver: a device's driver runs in this process, whose system calls cannot be
 *	listed: it may do what it likes, but not run programs, look into other
 *	processes, speak to the network, or change the machine
 *
 * Any other fails with EPERM. Threads started later inherit it.
 *
 * Return: false, with a message logged, if it failed.
 */
bool harden_syscalls(bool driver);

#endif
