/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Ending while a device's driver does not return: it may compile for minutes, or
 * wait for a device that has hung, and cannot be interrupted.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_DAEMON_LEAVE_H
#define WAVECRYPT_DAEMON_LEAVE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/signalfd.h>

#include "daemon/control.h"

/**
 * struct leave - who ends the process meanwhile
 * @signals: signalfd, whose signals ask to end, or -1: that is asked already
 * @patience_ns: how much longer the driver may take then
 * @control: the socket that is not to be left behind, or NULL
 * @status: what the process is to exit with then
 * @over: eventfd: the driver has returned
 * @thread: waits for all that
 * @running: there is such a thread
 * @stop: somebody asked to end
 * @reload: somebody asked for settings to be read again
 */
struct leave {
	int signals;
	uint64_t patience_ns;
	struct control *control;
	int status;
	int over;
	pthread_t thread;
	bool running;
	bool stop;
	bool reload;
};

/**
 * leave_asked - whether a signal asks to end; logs what it is
 * @info: the signal
 * @reload: set if it asks for settings to be read again
 */
bool leave_asked(const struct signalfd_siginfo *info, bool *reload);

/**
 * leave_watch - begin; @signals, @patience_ns, @control and @status are set
 *
 * What a process that is ended that way holds of the channel the module takes back.
 */
void leave_watch(struct leave *l);

/** leave_over - the driver has returned; @stop and @reload say what was asked meanwhile */
void leave_over(struct leave *l);

#endif
