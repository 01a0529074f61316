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
	uint64_t end = clock_ns() + l->patience_ns;

	l->stop = l->signals < 0;
	for (;;) {
		struct pollfd fds[] = {
			{ .fd = l->over, .events = POLLIN },
			{ .fd = l->stop ? -1 : l->signals, .events = POLLIN },
		};
		uint64_t now = clock_ns(), left = now < end ? end - now : 0;
		bool timed = l->stop || l->ch;
		int n, timeout = timed ? (int)(left / NSEC_PER_MSEC) : -1;
		struct signalfd_siginfo info;

		n = poll(fds, 2, timeout);
		if (n > 0 && fds[0].revents)
			return false;
		if (!n) {
			l->let_go |= l->ch && channel_let_go(l->ch,
				"a device's driver does not return: the kernel does the requests");
			l->ch = NULL;
			if (l->stop)
				return true;
			continue;
		}
		if (n > 0 && read(l->signals, &info, sizeof(info)) == sizeof(info) &&
		    leave_asked(&info, &l->reload)) {
			l->stop = true;
			end = clock_ns() + l->patience_ns;
		}
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
