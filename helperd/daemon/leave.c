// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "daemon/leave.h"
#include "lib/clock.h"
#include "lib/log.h"

bool leave_asked(const struct signalfd_siginfo *info, bool *reload)
{
	if (info->ssi_signo == SIGHUP) {
		*reload = true;
		return false;
	}
	log_notice("stopping on %s", strsignal(info->ssi_signo));
	return true;
}

/* true: the process is to end. */
static bool await(struct leave *l)
{
	int timeout = -1;

	if (l->patience_ns)
		timeout = l->patience_ns / NSEC_PER_MSEC;
	for (;;) {
		struct pollfd fds[] = {
			{ .fd = l->over, .events = POLLIN },
			{ .fd = l->signals, .events = POLLIN },
		};
		struct signalfd_siginfo info;
		int n = poll(fds, 2, timeout);

		if (n < 0)
			continue;
		if (fds[0].revents)
			return false;
		if (!n)
			return true;
		if (read(l->signals, &info, sizeof(info)) == sizeof(info) &&
		    leave_asked(&info, &l->reload))
			return true;
	}
}

static void *leave_main(void *arg)
{
	struct leave *l = arg;

	if (!await(l))
		return NULL;
	log_notice("leaving while a device's driver is busy");
	if (l->control)
		control_close(l->control);
	_exit(l->status);
}

void leave_watch(struct leave *l)
{
	l->over = eventfd(0, EFD_CLOEXEC);
	l->running = l->over >= 0 &&
		     !pthread_create(&l->thread, NULL, leave_main, l);
	if (!l->running)
		log_warn("no thread to end the daemon while a device's driver is busy");
}

void leave_over(struct leave *l)
{
	if (l->running) {
		eventfd_write(l->over, 1);
		pthread_join(l->thread, NULL);
	}
	if (l->over >= 0)
		close(l->over);
	l->running = false;
}
