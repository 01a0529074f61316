/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is done while a device's driver does not return, which may compile for minutes,
 * or wait for a device that has hung, and cannot be interrupted: the channel is let go,
 * and the process ended if that is asked for.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_DAEMON_LEAVE_H
#define WAVECRYPT_DAEMON_LEAVE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/signalfd.h>

#include "channel/channel.h"
#include "daemon/control.h"

/**
 * struct leave - who does that meanwhile
 * @signals: signalfd, whose signals ask to end, or -1: that is asked already
 * @patience_ns: how much longer the driver may take, and again when that is asked
 * @ch: the channel that is let go after that, or NULL; it is set to that then
 * @control: the socket that is not to be left behind, or NULL
 * @status: what the process is to exit with then
 * @over: eventfd: the driver has returned
 * @thread: waits for all that
 * @running: there is such a thread
 * @let_go: the channel was let go
 * @stop: somebody asked to end
 * @reload: somebody asked for settings to be read again
 */
struct leave {
	int signals;
	uint64_t patience_ns;
	struct channel *ch;
	struct control *control;
	int status;
	int over;
	pthread_t thread;
	bool running;
	bool let_go;
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
 * leave_watch - begin; @signals, @patience_ns, @ch, @control and @status are set
 *
 * A process that is ended that way may keep the module's file: channel_let_go().
 */
void leave_watch(struct leave *l);

/**
 * leave_over - the driver has returned; @let_go says what was done, @stop and @reload what
 *	was asked meanwhile
 */
void leave_over(struct leave *l);

#endif
