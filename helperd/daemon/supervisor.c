// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <errno.h>
#include <jansson.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sysexits.h>
#include <unistd.h>

#include "channel/loopback.h"
#include "daemon/control.h"
#include "daemon/crews.h"
#include "daemon/harden.h"
#include "daemon/leave.h"
#include "daemon/newcomers.h"
#include "daemon/notify.h"
#include "daemon/online.h"
#include "daemon/placement.h"
#include "daemon/registry.h"
#include "daemon/reload.h"
#include "daemon/supervisor.h"
#include "daemon/there.h"
#include "daemon/worker_settings.h"
#include "lib/array.h"
#include "lib/clock.h"
#include "lib/cpulist.h"
#include "lib/errand.h"
#include "lib/log.h"
#include "lib/numa.h"
#include "report/device.h"
#include "report/json.h"
#include "report/metrics.h"
#include "report/report.h"
#include "version.h"
#include "worker/worker.h"

/* Waits before attaching anew: from the first, doubled, up to the last. */
#define BACKOFF_FIRST_NS	(NSEC_PER_SEC / 10)
#define BACKOFF_LAST_NS		(10 * NSEC_PER_SEC)

/* A channel that breaks as often, one soon after the other, is for the service manager. */
#define BREAKS_MOST		8

/* How often to look whether the machine was given more processors, or runs others, has
 * larger MTUs, or its devices
 */
#define LOOK_NS			(2 * NSEC_PER_SEC)

/* How long a device's driver may take to return when all else has stopped */
#define LEAVE_PATIENCE_NS	(5 * NSEC_PER_SEC)

/* How long it may take to be ready with devices, before it goes on with the lanes */
#define DEVICES_PATIENCE_NS	(30 * NSEC_PER_SEC)

/* How much longer a start may take while that is waited for, or what to attach to */
#define START_PATIENCE_NS	(60 * NSEC_PER_SEC)

/* udev knows of the device before the module has registered its algorithms, which some
 * kernels test first, for seconds. So long that is waited for, and looked so often
 */
#define LOADING_NS		(60 * NSEC_PER_SEC)
#define LOADING_POLL_MS		50

/* What a loopback channel looks like that nobody asked to be otherwise. */
#define LOOPBACK_ENTRIES	512
#define LOOPBACK_KEYS		64

/**
 * struct supervisor - the daemon
 * @config: settings
 * @source: where they come from
 * @backends: what workers work with
 * @anew: what the next ones are to, if it has devices
 * @file: the module's, opened before the capability that this takes is dropped; or -1
 * @breaks: how many channels broke, one soon after the other
 * @ch: channel, NULL while there is none
 * @lb: its other end, if it is a loopback
 * @online: processors by which @placement was made
 * @placement: who serves what, to begin with
 * @crews: who may take over from whom; NULL: nobody, as devices do not share
 * @device_of: which device each works with
 * @workers: workers, in the order of @placement
 * @turns: their turns when the watchdog last looked
 * @control: control socket, or NULL
 * @signals: signalfd
 * @ended: eventfd: a worker has ended
 * @notify: socket to the service manager, or -1
 * @watchdog_ns: how often to tell it that all is well, 0: never
 * @watchdog_at: when to do so next, whatever else happens in between
 * @backoff_ns: how long to wait before attaching anew
 * @attached_at: when we did
 * @ready: it serves, or has; who started it knows
 * @stop: asked to
 * @reload: asked to read settings again
 * @renew: workers are to be started anew, with other settings
 * @grown: the channel is to be made anew, for what came: newcomers.h
 * @let_go: we have let the channel go, as a worker did not get on
 */
struct supervisor {
	struct config *config;
	const struct config_source *source;
	struct backend_choice backends;
	struct backend_choice anew;
	int file;
	unsigned int breaks;
	struct channel *ch;
	struct loopback *lb;
	struct online online;
	struct placement placement;
	struct crew **crews;
	struct device **device_of;
	struct worker **workers;
	uint64_t *turns;
	struct control *control;
	int signals;
	int ended;
	int notify;
	uint64_t watchdog_ns;
	uint64_t watchdog_at;
	uint64_t backoff_ns;
	uint64_t attached_at;
	bool ready;
	bool stop;
	bool reload;
	bool renew;
	bool grown;
	bool let_go;
};

static int exit_status(int err)
{
	switch (err) {
	case 0:
		return EX_OK;
	case -ENOENT:
	case -ENXIO:
	case -ENODEV:
		return EX_UNAVAILABLE;
	case -EACCES:
	case -EPERM:
		return EX_NOPERM;
	case -EPROTO:
		return EX_PROTOCOL;
	case -EBUSY:
		return EX_TEMPFAIL;
	case -EIO:
		return EX_IOERR;
	case -ENOTTY:
		return EX_CONFIG;
	default:
		return EX_OSERR;
	}
}

static void stopping(struct supervisor *s)
{
	s->stop = true;
	notify_send(s->notify, "STOPPING=1");
}

/* A signal may have come. true: it asks to stop. */
static bool heed_signal(struct supervisor *s)
{
	struct signalfd_siginfo info;

	if (read(s->signals, &info, sizeof(info)) != sizeof(info) ||
	    !leave_asked(&info, &s->reload))
		return false;
	stopping(s);
	return true;
}

/* Asked to stop while the module is being loaded, it waits no longer. */
static int open_module(struct supervisor *s)
{
	struct pollfd fd = { .fd = s->signals, .events = POLLIN };
	const char *path = s->config->module;
	uint64_t until = clock_ns() + LOADING_NS;
	bool waited = false;

	if (s->config->transport != CONFIG_MODULE)
		return 0;
	while ((s->file = module_open(path)) == -EAGAIN && clock_ns() < until) {
		if (!waited)
			log_info("%s: the module is being loaded; waiting", path);
		waited = true;
		if (poll(&fd, 1, LOADING_POLL_MS) > 0 && heed_signal(s))
			return 0;
	}
	if (s->file == -EAGAIN)
		log_err("%s: the module is being loaded, and that does not come to an end",
			path);
	return s->file < 0 ? s->file : 0;
}

static int attach_loopback(struct supervisor *s)
{
	struct loopback_config lc = {
		.queues = sysconf(_SC_NPROCESSORS_ONLN),
		.entries = s->config->entries ? s->config->entries :
						LOOPBACK_ENTRIES,
		.keys = LOOPBACK_KEYS,
	};

	s->lb = loopback_create(&lc);
	if (!s->lb) {
		int err = -errno;

		if (!channel_lacks(err))
			log_err("loopback: %s", strerror(-err));
		return err;
	}
	s->ch = loopback_channel(s->lb);
	return 0;
}

static int attach(struct supervisor *s, bool replace)
{
	int err;

	if (s->config->transport == CONFIG_LOOPBACK)
		err = attach_loopback(s);
	else
		err = module_attach(s->file, s->config->module,
				    s->config->entries, replace, &s->ch);
	if (err)
		return err;
	s->attached_at = clock_ns();
	log_info("attached to %s: %u queues of %u entries, room for %u keys",
		 s->ch->name, s->ch->geo.queues, s->ch->geo.entries,
		 s->ch->geo.keys);
	return 0;
}

static void detach(struct supervisor *s)
{
	if (!s->ch)
		return;
	s->ch->ops->close(s->ch);
	s->ch = NULL;
	if (s->lb)
		loopback_free(s->lb);
	s->lb = NULL;
}

/* Which says nothing of workers: they are looked at when that is due. */
static void show_life(const struct supervisor *s)
{
	if (s->watchdog_ns)
		notify_send(s->notify, "WATCHDOG=1");
}

/* Each worker that has ended or begun is progress, however long all of them take. */
static void alive(struct supervisor *s)
{
	show_life(s);
	s->watchdog_at = clock_ns() + s->watchdog_ns;
}

/* Return: why they ended; the gravest reason counts. */
static enum worker_end workers_stop(struct supervisor *s)
{
	enum worker_end worst = WORKER_STOPPED;

	for (uint32_t i = 0; s->workers && i < s->placement.nr; i++) {
		if (!s->workers[i])
			continue;
		worker_stop(s->workers[i]);
		alive(s);
		if (worker_end(s->workers[i]) > worst)
			worst = worker_end(s->workers[i]);
	}
	/* Which waits for the device's driver, and so not for the others' packets. */
	for (uint32_t i = 0; s->workers && i < s->placement.nr; i++) {
		if (!s->workers[i])
			continue;
		worker_free(s->workers[i]);
		alive(s);
	}
	free(s->workers);
	free(s->turns);
	free(s->device_of);
	s->workers = NULL;
	s->device_of = NULL;
	s->turns = NULL;
	crews_free(s->crews, &s->placement);
	s->crews = NULL;
	placement_free(&s->placement);
	return worst;
}

/* Once nothing works with those that were chosen before */
static void take_devices(struct supervisor *s)
{
	if (!s->anew.nr)
		return;
	backend_choice_free(&s->backends);
	s->backends = s->anew;
	s->anew.nr = 0;
}

/* While the daemon goes on: asked to stop, it does, though a device's driver never returns. */
static enum worker_end workers_renew(struct supervisor *s)
{
	struct leave leave = {
		.signals = s->signals,
		.patience_ns = LEAVE_PATIENCE_NS,
		.ch = s->ch,
		.control = s->control,
		.status = EX_OK,
	};
	enum worker_end end;

	if (!s->backends.nr)
		return workers_stop(s);
	leave_watch(&leave);
	end = workers_stop(s);
	take_devices(s);
	leave_over(&leave);
	s->let_go |= leave.let_go;
	s->reload |= leave.reload;
	if (leave.stop)
		stopping(s);
	return end;
}

/*
 * At the end: not for longer than a service manager waits. Nor does the process exit as
 * usual while a driver is busy, which would tear down what that is at.
 */
static void workers_leave(struct supervisor *s, int status)
{
	struct leave leave = {
		.signals = -1,
		.patience_ns = LEAVE_PATIENCE_NS,
		.ch = s->ch,
		.control = s->control,
		.status = status,
	};

	leave_watch(&leave);
	workers_stop(s);
	backend_choice_free(&s->backends);
	errands_join(2 * LEAVE_PATIENCE_NS);
	leave_over(&leave);
}

static bool place_workers(struct supervisor *s)
{
	const struct config *c = s->config;
	uint32_t n = s->ch->geo.queues;
	uint32_t *cpus = calloc(n, sizeof(*cpus));
	cpu_set_t there;
	struct placement_wish wish = {
		.queue_cpus = cpus,
		.nr_queues = n,
		/* Of a loopback, processors have no queues. */
		.online = s->lb ? NULL : &s->online.placed,
		.workers = c->workers,
		.queues_per_worker = c->queues_per_worker,
		.cpus = &there,
		.sysfs = "/sys",
	};
	bool good;

	online_note(&s->online, "/sys");
	there_cpus(&c->worker_cpus, &there);
	for (uint32_t i = 0; cpus && i < n; i++)
		cpus[i] = channel_sq(s->ch, i)->cpu;
	good = cpus && placement_make(&wish, &s->placement);
	free(cpus);
	if (good && s->placement.nr < c->workers)
		log_notice("workers = %u: %u at most, one for each CPU that they may be on (worker-cpus) or queue",
			   c->workers, s->placement.nr);
	return good;
}

static void note_idle(const struct supervisor *s)
{
	for (uint32_t d = 0; d < s->backends.nr; d++) {
		const struct device *dev = s->backends.device[d];
		bool used = false;

		for (uint32_t i = 0; i < s->placement.nr; i++)
			used |= s->device_of[i] == dev;
		if (!used)
			log_warn("device %s: there is no worker for it (workers, worker-cpus, device-workers)",
				 dev->name);
	}
}

/* Devices, to the workers that are near them */
static bool share_devices(struct supervisor *s)
{
	uint32_t nr = s->placement.nr;
	int *node = calloc(nr, sizeof(*node));

	s->device_of = calloc(nr, sizeof(*s->device_of));
	if (!node || !s->device_of) {
		free(node);
		return false;
	}
	for (uint32_t i = 0; i < nr; i++)
		node[i] = numa_of_cpus("/sys", &s->placement.place[i].cpus);
	worker_devices(s->config, &s->backends, node, nr, s->device_of);
	note_idle(s);
	free(node);
	return true;
}

static bool worker_begin(struct supervisor *s, uint32_t i)
{
	const struct place *place = &s->placement.place[i];
	struct device *device = s->device_of[i];
	struct worker_config wc = {
		.ch = s->ch,
		.cpus = place->cpus,
		.queues = place->queues,
		.nr_queues = place->nr_queues,
		.crew = s->crews ? s->crews[place->group] : NULL,
		.seat = place->seat,
		.lead = i == 0,
		.end_fd = s->ended,
	};
	char cpus[CPULIST_SIZE];

	worker_settings(&wc, s->config, s->backends.lanes, device);
	s->workers[i] = worker_start(&wc);
	if (!s->workers[i])
		return false;
	cpulist_format(&place->cpus, cpus, sizeof(cpus));
	alive(s);
	log_info("worker %u: %u queues, on CPUs %s%s%s", i, place->nr_queues,
		 cpus, device ? ", with device " : "", device ? device->name : "");
	return true;
}

static bool workers_start(struct supervisor *s)
{
	if (!place_workers(s) || !share_devices(s)) {
		log_err("no memory to place workers");
		return false;
	}
	s->workers = calloc(s->placement.nr, sizeof(*s->workers));
	s->turns = calloc(s->placement.nr, sizeof(*s->turns));
	if (!s->backends.nr)
		s->crews = crews_make(&s->placement);
	if (!s->workers || !s->turns || (!s->backends.nr && !s->crews))
		return false;
	/* So many nobody has had: who has just begun gets on. */
	memset(s->turns, 0xff, s->placement.nr * sizeof(*s->turns));
	for (uint32_t i = 0; i < s->placement.nr; i++)
		if (!worker_begin(s, i))
			return false;
	return true;
}

static const char *state_name(const struct supervisor *s)
{
	static const char *const names[] = {
		[WAVECRYPT_STATE_LIVE] = "live",
		[WAVECRYPT_STATE_STALLED] = "stalled",
		[WAVECRYPT_STATE_BROKEN] = "broken",
		[WAVECRYPT_STATE_DETACHED] = "detached",
	};
	uint32_t state = s->ch ? channel_state(s->ch) :
				 WAVECRYPT_STATE_DETACHED;

	if (state >= ARRAY_SIZE(names) || !names[state])
		return "unknown";
	return names[state];
}

static json_t *devices_json(const struct supervisor *s, const json_t *workers)
{
	json_t *devices = json_array();

	for (uint32_t i = 0; i < s->backends.nr; i++)
		json_array_append_new(devices,
				      report_device(s->backends.device[i], workers));
	return devices;
}

static json_t *status(const struct supervisor *s)
{
	const struct device *chosen = backend_chosen(&s->backends);
	json_t *workers = json_array();
	char detail[BACKEND_TEXT];

	backend_describe(&s->backends, detail);
	for (uint32_t i = 0; s->workers && i < s->placement.nr; i++)
		json_array_append_new(workers, report_worker(s->workers[i]));
	return json_pack("{s:s, s:i, s:i, s:o, s:s, s:s, s:o, s:o, s:i, s:i, s:i, s:o}",
			 "version", WAVECRYPT_VERSION,
			 "abi", WAVECRYPT_ABI_VERSION, "pid", getpid(),
			 "channel", json_text(s->ch ? s->ch->name : "none"),
			 "state", state_name(s),
			 "backend", chosen->ops->name,
			 "backend_detail", json_text(detail),
			 "devices", devices_json(s, workers),
			 "queues", s->ch ? (int)s->ch->geo.queues : 0,
			 "entries", s->ch ? (int)s->ch->geo.entries : 0,
			 "keys", s->ch ? (int)s->ch->geo.keys : 0,
			 "workers", workers);
}

/*
 * systemctl waits for the second. Before the first time that would be news. A device's
 * driver is waited for, and several may ask for that, one right after the other.
 */
static json_t *reload(struct supervisor *s)
{
	json_t *done;

	if (s->ready)
		notify_reloading(s->notify);
	show_life(s);
	done = reload_settings(s->config, s->source, &s->renew);
	if (s->ready)
		notify_send(s->notify, "READY=1");
	return done;
}

/* What changes something. NULL: nothing of the kind. */
static json_t *act(struct supervisor *s, const char *request, bool may)
{
	static const char level[] = "log-level ";
	bool all = !strcmp(request, "reload");

	if (!all && strncmp(request, level, sizeof(level) - 1))
		return NULL;
	if (!may)
		return json_pack("{s:s}", "error", "only root may do that");
	return all ? reload(s) :
		     reload_level(s->config, request + sizeof(level) - 1);
}

/* What changes nothing. NULL: nothing of the kind. */
static json_t *tell(const struct supervisor *s, const char *request)
{
	if (!strcmp(request, "status"))
		return status(s);
	if (!strcmp(request, "config"))
		return json_pack("{s:o}", "settings",
				 reload_show(s->config, s->source));
	return NULL;
}

static char *answer(void *context, const char *request, bool may_act)
{
	struct supervisor *s = context;
	json_t *now = act(s, request, may_act);
	char *text = NULL;

	if (!now)
		now = tell(s, request);
	if (now) {
		text = json_dumps(now, JSON_COMPACT);
	} else if (!strcmp(request, "metrics")) {
		now = report_stats(status(s));
		text = metrics_text(now);
	}
	json_decref(now);
	return text;
}

/* Is every worker either asleep or getting on? */
static bool workers_healthy(struct supervisor *s)
{
	bool healthy = true;

	for (uint32_t i = 0; s->workers && i < s->placement.nr; i++) {
		struct worker_stats st;

		worker_stats_get(s->workers[i], &st);
		if (st.turns == s->turns[i] && !worker_asleep(s->workers[i]))
			healthy = false;
		s->turns[i] = st.turns;
	}
	return healthy;
}

/* The service manager is told that we live, or about to kill us. */
static void watch_workers(struct supervisor *s, uint64_t now)
{
	if (workers_healthy(s)) {
		alive(s);
		return;
	}
	s->let_go |= s->ch && channel_let_go(s->ch,
		"a worker does not get on: the kernel does its requests");
	s->watchdog_at = now + s->watchdog_ns;
}

static bool look_for_newcomers(struct supervisor *s)
{
	cpu_set_t set;
	char cpus[CPULIST_SIZE];

	if (newcomers_jumbo("/sys")) {
		log_notice("there are larger MTUs by now: attaching anew, for slots of jumbo packets");
		return true;
	}
	if (!newcomers_find(s->ch, "/sys", &set))
		return false;
	cpulist_format(&set, cpus, sizeof(cpus));
	log_notice("CPUs %s were added: attaching anew, for queues of theirs",
		   cpus);
	return true;
}

static bool look_for_online(struct supervisor *s)
{
	char cpus[CPULIST_SIZE];

	if (!online_changed(&s->online, "/sys"))
		return false;
	cpulist_format(&s->online.seen, cpus, sizeof(cpus));
	log_notice("CPUs %s are online by now: workers are placed anew", cpus);
	return true;
}

static bool look_for_devices(struct supervisor *s)
{
	if (backend_choose_anew(s->config, &s->backends, &s->anew))
		log_notice("%u devices are there by now: workers are started anew, with all of them",
			   s->anew.nr);
	else if (backend_have_come(&s->backends, "/sys"))
		log_notice("devices that were missing are there by now: workers are started anew, to share all of them");
	else
		return false;
	return true;
}

/**
 * pump - handle events
 * @s: the daemon
 * @until: until then at the latest; 0: for as long as it takes
 *
 * Returns when a worker has ended, when asked to stop or to start workers anew,
 * when what came wants another channel, or there are devices by now, or other processors
 * are online, or at @until.
 */
static void pump(struct supervisor *s, uint64_t until)
{
	/* Of a loopback, processors have no queues. */
	bool may_grow = s->workers && !s->lb;
	bool may_come = s->workers && backend_lacks(&s->backends);
	uint64_t look = clock_ns() + LOOK_NS;

	for (;;) {
		struct pollfd fds[] = {
			{ .fd = s->signals, .events = POLLIN },
			{ .fd = s->ended, .events = POLLIN },
			{ .fd = s->control ? control_fd(s->control) : -1,
			  .events = POLLIN },
		};
		uint64_t now = clock_ns(), next = until;
		int timeout = -1;

		if (until && now >= until)
			return;
		if (s->watchdog_ns && now >= s->watchdog_at)
			watch_workers(s, now);
		if (s->watchdog_ns && (!next || s->watchdog_at < next))
			next = s->watchdog_at;
		if (now >= look) {
			s->grown = may_grow && look_for_newcomers(s);
			if (s->grown || (may_grow && look_for_online(s)) ||
			    (may_come && look_for_devices(s)))
				return;
			may_come &= backend_lacks(&s->backends);
			look = now + LOOK_NS;
		}
		if ((may_grow || may_come) && (!next || look < next))
			next = look;
		if (next)
			timeout = (next - now) / NSEC_PER_MSEC + 1;
		if (s->reload)
			timeout = 0;
		if (poll(fds, 3, timeout) < 0 && errno != EINTR)
			log_err("poll: %s", strerror(errno));
		if (fds[0].revents & POLLIN && heed_signal(s))
			return;
		if (s->reload)
			json_decref(reload(s));
		s->reload = false;
		if (fds[1].revents & POLLIN)
			return;
		if (fds[2].revents & POLLIN)
			control_run(s->control);
		if (s->renew && s->workers)
			return;
	}
}

/* Let time pass so that what fails at once does not spin us; the next time, more. */
static void let_pass(struct supervisor *s)
{
	pump(s, clock_ns() + s->backoff_ns);
	s->backoff_ns *= 2;
	if (s->backoff_ns > BACKOFF_LAST_NS)
		s->backoff_ns = BACKOFF_LAST_NS;
}

/* False: enough. */
static bool back_off(struct supervisor *s)
{
	if (++s->breaks == BREAKS_MOST) {
		log_err("the channel broke %d times: giving up", BREAKS_MOST);
		return false;
	}
	log_notice("attaching anew in %llu ms",
		   (unsigned long long)s->backoff_ns * 1000 / NSEC_PER_SEC);
	let_pass(s);
	return true;
}

/*
 * What is lacking may be there later, and the kernel does the requests till then. A helper
 * that came meanwhile is no such thing: it has taken over, and nobody would know of us who
 * wait for its end.
 */
static int attach_patiently(struct supervisor *s)
{
	uint64_t until = clock_ns() + START_PATIENCE_NS;
	int err = attach(s, false);

	if (channel_lacks(err))
		log_err("cannot attach: %s; trying again, the kernel does the requests",
			strerror(-err));
	/* Who starts it waits for that, and can start it anew. */
	while (channel_lacks(err) && (s->ready || clock_ns() < until)) {
		if (!s->ready)
			notify_patience(s->notify, START_PATIENCE_NS);
		let_pass(s);
		if (s->stop)
			return 0;
		err = attach(s, false);
	}
	return err;
}

/* Where another is to be replaced, that one goes on, and who wants it replaced is told. */
static int attach_first(struct supervisor *s)
{
	int err;

	if (!s->config->replace)
		return attach_patiently(s);
	err = attach(s, true);
	if (channel_lacks(err))
		log_err("cannot attach: %s", strerror(-err));
	return err;
}

/**
 * serve - one attachment, from when it has workers to its end
 * @s: the daemon
 * @again: set if it is worth attaching anew
 *
 * Return: exit status if not.
 */
static int serve(struct supervisor *s, bool *again)
{
	enum worker_end end = WORKER_STOPPED;
	uint64_t drain;

	*again = false;
	s->grown = false;
	s->let_go = false;
	do {
		s->renew = false;
		pump(s, 0);
		if (s->stop && s->backends.nr)
			workers_leave(s, EX_OK);
		else
			end = workers_renew(s);
		if (read(s->ended, &drain, sizeof(drain)) < 0 &&
		    errno != EAGAIN)
			log_warn("eventfd: %s", strerror(errno));
		/* The next go on with what they left, and with other settings. */
	} while (!s->stop && !s->grown && !s->let_go &&
		 end == WORKER_STOPPED && workers_start(s));
	/* Where one could not start, others run, on the channel's memory. */
	workers_renew(s);
	detach(s);
	/* Whatever was wrong before is over. */
	if (clock_ns() - s->attached_at > BACKOFF_LAST_NS) {
		s->backoff_ns = BACKOFF_FIRST_NS;
		s->breaks = 0;
	}
	if (s->stop)
		return EX_OK;
	if (s->let_go) {
		*again = true;
		return EX_OK;
	}
	switch (end) {
	case WORKER_STOPPED:
		*again = s->grown;
		return s->grown ? EX_OK : EX_OSERR;
	case WORKER_DETACHED:
		log_notice("another helper took over; nothing left to do");
		return EX_OK;
	case WORKER_HUNG:
		log_err("the device hung with requests: attaching anew, the kernel does those in flight");
		*again = true;
		return EX_OK;
	case WORKER_BROKEN:
		log_err("the channel is broken (the kernel log says why); requests in flight are done by the kernel");
		*again = true;
		return EX_OK;
	default:
		return EX_OSERR;
	}
}

static bool events_open(struct supervisor *s)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGHUP);
	/* Blocked before there are threads, so that they all have it so. */
	sigprocmask(SIG_BLOCK, &set, NULL);
	/* Whoever reads our messages may go before us. */
	signal(SIGPIPE, SIG_IGN);
	s->signals = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
	s->ended = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	s->notify = notify_open();
	return s->signals >= 0 && s->ended >= 0;
}

/* Asked to stop meanwhile, it does: there is nothing yet that had to be ended well. */
static int choose_backend(struct supervisor *s)
{
	struct leave leave = { .signals = s->signals, .control = s->control };
	int status;

	/* A GPU's driver may have kernels to compile: a start may take less than that. */
	if (strcmp(s->config->backend, "cpu"))
		notify_patience(s->notify, START_PATIENCE_NS);
	leave_watch(&leave);
	status = backend_choose(s->config, DEVICES_PATIENCE_NS, &s->backends);
	leave_over(&leave);
	s->reload |= leave.reload;
	if (leave.stop)
		stopping(s);
	return status;
}

static int run(struct supervisor *s, void (*ready)(void *context),
	       void *context)
{
	const struct config *c = s->config;
	bool again;
	int status, err = open_module(s);

	if (err || s->stop)
		return exit_status(err);
	/*
	 * A device's driver starts threads, which keep what they start with; and
	 * the module must not wait while a device is probed.
	 */
	if (!harden_privileges(c->user))
		return EX_NOPERM;
	status = choose_backend(s);
	if (status || s->stop)
		return status;
	err = attach_first(s);
	if (err || s->stop)
		return exit_status(err);
	if (s->control)
		control_move(s->control);
	if (c->seccomp && !harden_syscalls(s->backends.nr))
		return EX_OSERR;
	for (;;) {
		if (!workers_start(s))
			return EX_OSERR;
		if (!s->ready) {
			s->ready = true;
			ready(context);
			notify_send(s->notify, "READY=1");
			/* Twice as often as is asked for. */
			s->watchdog_ns = notify_watchdog_ns() / 2;
		}
		status = serve(s, &again);
		if (!again)
			return status;
		if (!s->grown && !back_off(s))
			return EX_IOERR;
		if (s->stop)
			return EX_OK;
		err = attach_patiently(s);
		if (err || s->stop)
			return exit_status(err);
	}
}

int supervisor_run(struct config *config, const struct config_source *source,
		   void (*ready)(void *context), void *context)
{
	struct supervisor s = {
		.config = config,
		.source = source,
		.file = -1,
		.signals = -1,
		.ended = -1,
		.notify = -1,
		.backoff_ns = BACKOFF_FIRST_NS,
	};
	const struct control_handler handler = { answer, &s };
	int status;

	harden_memory(config->lock_memory);
	clock_setup();
	errand_setup();
	if (!events_open(&s)) {
		log_err("cannot wait for events: %s", strerror(errno));
		return EX_OSERR;
	}
	s.control = control_open(config->control, config->control_group,
				 config->replace, harden_user(config->user),
				 &handler);
	status = run(&s, ready, context);
	if (s.backends.nr)
		workers_leave(&s, status);
	workers_stop(&s);
	detach(&s);
	if (s.file >= 0)
		close(s.file);
	if (s.control)
		control_close(s.control);
	close(s.signals);
	close(s.ended);
	if (s.notify >= 0)
		close(s.notify);
	return status;
}
