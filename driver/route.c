// SPDX-License-Identifier: GPL-2.0-only
/*
 * Inline or offload?
 *
 * Offloading a request costs this CPU less than doing it, if the algorithm is
 * slow enough, and the helper does many at a time for less than that again.
 * But one request alone takes longer, the helper needs some in flight to be
 * fast, and how many there are is up to whoever submits. So the router does
 * not guess: it measures, on each CPU, how much work gets done in a time, and
 * tries the other way now and then.
 *
 * Work is counted in what it would cost inline (nanoseconds), so that it adds
 * up over algorithms and lengths. Work done in a time, the rate, is then the
 * share of its time that the CPU would need for it: below a fifth there is
 * nothing to gain, and everything goes inline, at the lowest latency. Above,
 * the CPU is busy, and classes of requests may be offloaded: those for which
 * that has been seen to raise the rate.
 *
 * A trial turns classes over and compares the rate with the one before: first
 * all that are inline, since those offloaded and those that are not wait for
 * each other; then, if that did not pay, or to see which do, one by one. What is no
 * part of the present traffic, another direction say, has no part in that. To
 * be adopted, offloading has to win by a part in 32, while going back inline
 * has only to come out even; and each time that a trial does not change
 * anything the next one waits twice as long. So there is no oscillation: a
 * decision is turned over by evidence only, and a tie settles for inline,
 * where latency is lower. Trials of what is settled take less than a percent of
 * the time; one that goes badly ends early. What is offloaded may be shared: while the
 * helper is behind with what it has, this CPU does some itself (submit.c), so that both
 * are busy. If less gets done than when all
 * was done inline, because there is less to do, or fewer requests are in flight
 * now, all goes back inline, and is tried anew as soon as it is known again what
 * inline does; but not because a helper was held up for once, nor at each lull of
 * traffic that comes in bursts, as TCP's does.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */

#include <linux/debugfs.h>
#include <linux/moduleparam.h>
#include <linux/percpu.h>
#include <linux/seq_file.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/sysfs.h>

#include "hazard.h"
#include "queue.h"
#include "range.h"
#include "route.h"
#include "stats.h"

static const char * const wc_mode_names[] = { "auto", "inline", "offload" };
unsigned int wc_mode = WC_MODE_AUTO;

/* How often a parameter was set: each CPU begins anew when it sees that. */
static unsigned int wc_generation;

enum wc_prefer {
	WC_PREFER_THROUGHPUT,
	WC_PREFER_CPU,
};

static const char * const wc_prefer_names[] = { "throughput", "cpu" };
static unsigned int wc_prefer = WC_PREFER_THROUGHPUT;

/* A parameter that is one of several words. */
struct wc_words {
	unsigned int *value;
	const char * const *words;
	unsigned int nr;
};

static int wc_words_set(const char *val, const struct kernel_param *kp)
{
	const struct wc_words *words = kp->arg;
	int i = __sysfs_match_string(words->words, words->nr, val);

	if (i < 0) {
		pr_err("%s cannot be '%.*s'; modinfo wavecrypt says what it can\n",
		       kp->name, (int)strcspn(val, "\n"), val);
		return i;
	}
	WRITE_ONCE(*words->value, i);
	WRITE_ONCE(wc_generation, wc_generation + 1);
	return 0;
}

static int wc_words_get(char *buf, const struct kernel_param *kp)
{
	const struct wc_words *words = kp->arg;

	return sysfs_emit(buf, "%s\n", words->words[*words->value]);
}

static const struct kernel_param_ops wc_words_ops = {
	.set = wc_words_set,
	.get = wc_words_get,
};

static const struct wc_words wc_mode_words = {
	&wc_mode, wc_mode_names, ARRAY_SIZE(wc_mode_names)
};
module_param_cb(mode, &wc_words_ops, (void *)&wc_mode_words, 0644);
MODULE_PARM_DESC(mode, "auto: where it is cheaper (default); inline: never offload; offload: whenever possible");

static const struct wc_words wc_prefer_words = {
	&wc_prefer, wc_prefer_names, ARRAY_SIZE(wc_prefer_names)
};
module_param_cb(prefer, &wc_words_ops, (void *)&wc_prefer_words, 0644);
MODULE_PARM_DESC(prefer, "with mode=auto, where both ways are as fast: throughput: inline, at lower latency (default); cpu: offload, if that takes less of this CPU's time");

static unsigned int wc_latency_us = 1000;
wc_param_range(latency_us, wc_latency_us, 1, 60 * USEC_PER_SEC, 0644);
MODULE_PARM_DESC(latency_us, "with mode=auto, how much later than at once requests may come back from the helper, on average, in us, up to a minute (default 1000)");

/* An epoch is at least so long (ns). */
#define WC_EPOCH_NS		(NSEC_PER_MSEC / 2)
/* Two samples that lie further apart (ns) than their work takes belong to
 * different times.
 */
#define WC_PAUSE_NS		(2 * NSEC_PER_MSEC)
/* After such a pause, in jiffies, a CPU is no longer busy. */
#define WC_PAUSE		(HZ / 100 + 1)
/* Epochs whose rates are averaged, before and in a trial. */
#define WC_TRIAL_EPOCHS		3
/* Epochs in a row with too low a rate: they end a trial, or what is settled. */
#define WC_TRIAL_LOWS		2
#define WC_LOWS			4
/* The same of epochs in which requests waited for too long. */
#define WC_SLOWS		2
/* Epochs that the helper is given to wake up in. */
#define WC_WAKE_EPOCHS		20
/* Time (ns) between trials of a class, or of several: doubled so often, at most. */
#define WC_TRIAL_NS		(20 * NSEC_PER_MSEC)
#define WC_TRIAL_BACKOFF	6
/* The same of one that ended without a word. */
#define WC_IDLE_BACKOFF		3
/* The same where nothing is to be gained, unless something changes (ns). */
#define WC_HOPELESS_NS		(10ULL * NSEC_PER_SEC)

/* The same (ns) after the helper was found to be too slow. */
#define WC_REFUSE_NS		(20 * NSEC_PER_MSEC)
#define WC_REFUSE_MOST		9

/* Samples after which a cost is believed. */
#define WC_SAMPLES		16
/* The same of what requests wait for the helper. */
#define WC_WAITS		8

/* Rates are parts of 1024. */
#define WC_RATE_ONE		1024
/* The CPU is busy from the one on, no longer below the other. */
#define WC_RATE_BUSY		(WC_RATE_ONE / 5)
#define WC_RATE_CALM		(WC_RATE_ONE / 8)

DEFINE_PER_CPU(struct wc_route, wc_routes);

/* What a class costs this CPU offloaded; 0 if that is not known: the first ones
 * find nothing in a cache.
 */
static u32 wc_route_offload_ns(const struct wc_route_class *class)
{
	return class->complete_ns && class->samples >= WC_SAMPLES ?
	       class->submit_ns + class->complete_ns : 0;
}

/** wc_route_latency_ns - what offloading may add to a request's latency, on average */
u64 wc_route_latency_ns(void)
{
	return (u64)READ_ONCE(wc_latency_us) * NSEC_PER_USEC;
}

/** wc_route_shares - with mode=auto, whether CPUs do what the helper has no use for yet */
bool wc_route_shares(void)
{
	return READ_ONCE(wc_prefer) == WC_PREFER_THROUGHPUT;
}

static bool wc_route_any(const struct wc_route *route)
{
	const struct wc_route_class *class;

	for (class = route->known; class; class = class->next)
		if (class->offload)
			return true;
	return false;
}

/* Whether a class is much of what there is to do now */
static bool wc_route_matters(const struct wc_route *route,
			     const struct wc_route_class *class)
{
	return class->work && class->work >= route->work / 16;
}

/* Whether anything of that is offloaded: what is known of others, which there are few
 * requests of at present, or none, says nothing of these.
 */
static bool wc_route_offloads(const struct wc_route *route)
{
	const struct wc_route_class *class;

	for (class = route->known; class; class = class->next)
		if (class->offload && wc_route_matters(route, class))
			return true;
	return false;
}

/* Whatever changes what a class does ends with this. */
static void wc_route_change(struct wc_route *route)
{
	route->offloads = wc_route_any(route);
	route->counts = route->counts && route->trial;
	route->offloaded = false;
	route->rate = 0;
	route->epochs = -1;
	route->lows = 0;
	route->slow = 0;
}

/* Whether something was so in @most epochs in a row: in one, the helper may have been
 * held up.
 */
static bool wc_route_again(u8 *times, bool now, u8 most)
{
	*times = now ? *times + 1 : 0;
	return *times >= most;
}

/* Whether a class costs this CPU less offloaded, and that is what counts. */
static bool wc_route_relieves(const struct wc_route_class *class)
{
	u32 offload_ns = wc_route_offload_ns(class);

	return READ_ONCE(wc_prefer) == WC_PREFER_CPU && offload_ns &&
	       offload_ns < class->inline_ns;
}

/* The next trial is twice as late as the last time, up to @most times. */
static void wc_route_later(struct wc_route_turn *turn, u64 now, u8 most)
{
	turn->at = now + ((u64)WC_TRIAL_NS << turn->backoff);
	if (turn->backoff < most)
		turn->backoff++;
}

/* A trial is over, of one class or of several: all but what each class has of its own. */
static void wc_route_over(struct wc_route *route, u64 now, u8 most)
{
	if (route->together)
		wc_route_later(&route->together->together, now, most);
	route->together = NULL;
	route->trial = false;
	wc_route_change(route);
}

/* What comes of a trial for one of its classes, which were turned over. True if it stays
 * so. A moment in which the helper was held up is no reason to do without it.
 */
static bool wc_route_judge(const struct wc_route *route,
			   struct wc_route_class *class, u64 now, u32 rate)
{
	u32 before = route->before, margin;
	bool keep;

	if (!class->offload)
		before = max(before, route->usual);
	margin = before / 32;
	keep = class->offload == wc_route_relieves(class) ?
	       rate + margin >= before : rate >= before + margin;
	class->trial = false;
	if (keep)
		class->alone.backoff = 0;
	else
		class->offload = !class->offload;
	/* Of several that do not pay together one may. */
	if (keep || !route->together)
		wc_route_later(&class->alone, now, keep ? 0 : WC_TRIAL_BACKOFF);
	/* To hand it over costs what it costs to do. */
	if (!class->offload && wc_route_offload_ns(class) >= class->inline_ns)
		class->alone.at = now + WC_HOPELESS_NS;
	return keep;
}

static void wc_route_trial_end(struct wc_route *route, u64 now, u32 rate)
{
	struct wc_route_class *class;
	bool kept = false;

	for (class = route->known; class; class = class->next)
		if (class->trial)
			kept |= wc_route_judge(route, class, now, rate);
	if (kept)
		route->usual = 0;
	if (kept && route->together)
		route->together->together.backoff = 0;
	wc_route_over(route, now, WC_TRIAL_BACKOFF);
}

static bool wc_route_too_long(const struct wc_route *route,
			      const struct wc_route_class *class)
{
	return (class - route->class) % WC_ROUTE_LENGTHS == WC_ROUTE_TOO_LONG;
}

/* Whether the other way may be worth it: not with what fits no slot, what the kernel could
 * not stand, or what the present helper does not do at all.
 */
static bool wc_route_worth(const struct wc_route *route,
			   const struct wc_route_class *class)
{
	unsigned int index = class - route->class;
	struct wc_queue *q = wc_queue_mine();

	if (!wc_route_matters(route, class) || wc_route_too_long(route, class) ||
	    wc_hazard_hold(index / WC_ROUTE_LENGTHS % WAVECRYPT_OPS))
		return false;
	return !q || wc_queue_does(q, wc_alg_id(index / WC_ROUTE_LENGTHS /
						WAVECRYPT_OPS));
}

static void wc_route_try(struct wc_route *route, struct wc_route_class *class)
{
	class->offload = !class->offload;
	class->trial = true;
	route->trial = true;
}

/* Everything inline again, and tried anew when it is due. */
static void wc_route_return(struct wc_route *route, u64 now)
{
	struct wc_route_class *class;

	for (class = route->known; class; class = class->next) {
		if (class->offload) {
			class->alone.at = now;
			class->together.at = now;
		}
		class->offload = false;
	}
	route->inline_rate = 0;
	route->usual = 0;
	wc_route_change(route);
}

/* What it had was when to try inline. */
static void wc_route_refuse_turn(struct wc_route_turn *turn, u64 until,
				 bool anew)
{
	if (anew)
		*turn = (struct wc_route_turn){ };
	if (turn->at < until)
		turn->at = until;
}

/**
 * wc_route_refuse - the helper is too slow: everything inline, and not so soon again
 * @route: this CPU's
 * @now: wc_clock()
 *
 * Context: BH disabled.
 */
void wc_route_refuse(struct wc_route *route, u64 now)
{
	struct wc_route_class *class;

	wc_pause_begin(&route->refused, now, WC_REFUSE_NS, WC_REFUSE_MOST,
		       route->offloads && !route->trial);
	for (class = route->known; class; class = class->next) {
		bool anew = class->offload || class->trial;

		wc_route_refuse_turn(&class->alone, route->refused.until, anew);
		wc_route_refuse_turn(&class->together, route->refused.until, anew);
		class->offload = false;
		class->trial = false;
	}
	route->together = NULL;
	route->trial = false;
	route->asked = false;
	route->inline_rate = 0;
	route->usual = 0;
	wc_route_change(route);
}

/**
 * wc_route_resume - a helper that had stopped goes on
 * @route: this CPU's
 * @now: wc_clock()
 *
 * Context: BH disabled.
 */
void wc_route_resume(struct wc_route *route, u64 now)
{
	/* Should it stop again soon, that is the same again, not something new. */
	route->refused.until = max(route->refused.until, now);
}

/* Try all that are inline and worth it, if there are several and it is time; or the one
 * with the most work of those that are due by themselves. Of several, a sample is no
 * measure of what gets done: they are counted first.
 */
static void wc_route_choose(struct wc_route *route, u64 now)
{
	struct wc_route_class *class, *due = NULL, *most = NULL;
	unsigned int nr = 0, nr_inline = 0;

	for (class = route->known; class; class = class->next) {
		if (!wc_route_worth(route, class))
			continue;
		nr++;
		if (now >= class->alone.at && (!due || class->work > due->work))
			due = class;
		if (class->offload)
			continue;
		nr_inline++;
		if (!most || class->work > most->work)
			most = class;
	}
	if (nr_inline < 2 || now < most->together.at)
		most = NULL;
	if (!due && !most) {
		/* What a sample took for more than it is */
		if (route->counts)
			wc_route_later(&route->counting, now, WC_IDLE_BACKOFF);
		route->counts = false;
		return;
	}
	if (nr > 1 && !route->counts) {
		route->counts = now >= route->counting.at;
		return;
	}
	route->counting = (struct wc_route_turn){ };
	if (!most) {
		wc_route_try(route, due);
		return;
	}
	route->together = most;
	for (class = route->known; class; class = class->next)
		if (!class->offload && wc_route_worth(route, class))
			wc_route_try(route, class);
}

/* The helper is given something to do, and may be asleep. */
static void wc_route_ask(struct wc_route *route)
{
	route->asked = wc_route_offloads(route);
	route->unanswered = route->returned;
}

/* Whether this CPU has a helper that takes requests. */
static bool wc_route_served(void)
{
	const struct wc_queue *q = wc_queue_mine();

	return q && !q->closed && !q->stalled;
}

/* It is still waking up: what gets done now says nothing. */
static bool wc_route_unanswered(const struct wc_route *route)
{
	return route->asked && route->returned == route->unanswered &&
	       route->epochs > -WC_WAKE_EPOCHS;
}

static void wc_route_trial_begin(struct wc_route *route, u64 now, u32 rate)
{
	bool offloaded = route->offloaded;

	route->usual = route->usual ? (7 * route->usual + rate) / 8 : rate;
	if (!offloaded)
		route->inline_rate = rate;
	if (!route->offloads) {
		route->waited = 0;
		route->waits = 0;
	}
	route->offloaded = false;
	route->rate = 0;
	route->epochs = 0;
	if (!offloaded && !wc_route_served()) {
		route->counts = false;
		return;
	}
	wc_route_choose(route, now);
	if (!route->trial)
		return;
	route->before = rate;
	route->seen = jiffies;
	wc_route_change(route);
	wc_route_ask(route);
}

/* Little to do now, or there was. Not a word on which way is better; but the way that is
 * tried may be what there is so little to do by, so that the next trial waits longer.
 */
static void wc_route_idle(struct wc_route *route, u64 now)
{
	struct wc_route_class *class;

	for (class = route->known; class; class = class->next) {
		if (!class->trial)
			continue;
		class->offload = !class->offload;
		class->trial = false;
		if (!route->together)
			wc_route_later(&class->alone, now, WC_IDLE_BACKOFF);
	}
	route->busy = false;
	wc_route_over(route, now, WC_IDLE_BACKOFF);
}

static void wc_route_epoch_begin(struct wc_route *route, u64 now)
{
	struct wc_route_class *class;

	for (class = route->known; class; class = class->next) {
		class->requests = 0;
		class->work = 0;
		if (!route->counts)
			class->weight = class->inline_ns;
	}
	route->start = now;
	route->work = 0;
}

/* The work of an epoch in which every request was looked at */
static void wc_route_count(struct wc_route *route)
{
	struct wc_route_class *class;

	route->work = 0;
	for (class = route->known; class; class = class->next) {
		class->work = (u64)class->requests * class->weight;
		route->work += class->work;
	}
}

/* Whether requests wait for the helper for longer than that is worth */
static bool wc_route_waits(const struct wc_route *route)
{
	return route->offloads && route->waits >= WC_WAITS &&
	       route->waited > route->waits * wc_route_latency_ns();
}

/* Below this rate, what is done now is the wrong way. */
static u32 wc_route_limit(const struct wc_route *route)
{
	if (route->trial)
		return route->before - route->before / 4;
	if (wc_route_offloads(route))
		return route->inline_rate - route->inline_rate / 8;
	return 0;
}

/* An epoch has ended, with this rate. */
static void wc_route_epoch(struct wc_route *route, u64 now, u32 rate)
{
	if (!route->busy) {
		route->busy = rate >= WC_RATE_BUSY;
		wc_route_ask(route);
		wc_route_change(route);
		return;
	}
	if (wc_route_unanswered(route)) {
		route->epochs--;
		return;
	}
	route->asked = false;
	if (route->epochs < 0) {
		route->epochs = 0;
		return;
	}
	if (wc_route_again(&route->slow, wc_route_waits(route), WC_SLOWS)) {
		wc_route_refuse(route, now);
		return;
	}
	if (wc_route_again(&route->lows, rate < wc_route_limit(route),
			   route->trial ? WC_TRIAL_LOWS : WC_LOWS)) {
		if (route->trial)
			wc_route_trial_end(route, now, rate);
		else
			wc_route_return(route, now);
		return;
	}
	/* What is tried gets a second epoch, and then a verdict. */
	if (rate < WC_RATE_CALM && !(route->trial && route->lows)) {
		wc_route_idle(route, now);
		return;
	}

	route->rate += rate;
	route->offloaded |= wc_route_offloads(route);
	if (++route->epochs < WC_TRIAL_EPOCHS)
		return;
	rate = route->rate / WC_TRIAL_EPOCHS;
	if (route->trial)
		wc_route_trial_end(route, now, rate);
	else
		wc_route_trial_begin(route, now, rate);
}

/* Somebody set a parameter: what was found out counts no more. */
static void wc_route_forget(struct wc_route *route)
{
	struct wc_route_class *class;

	for (class = route->known; class; class = class->next) {
		class->offload = false;
		class->trial = false;
		class->alone = (struct wc_route_turn){ };
		class->together = (struct wc_route_turn){ };
	}
	route->generation = READ_ONCE(wc_generation);
	route->refused = (struct wc_pause){ };
	route->together = NULL;
	route->counting = (struct wc_route_turn){ };
	route->trial = false;
	route->inline_rate = 0;
	route->usual = 0;
	route->busy = false;
	wc_route_change(route);
}

/**
 * wc_route_sample - account for a request that stands for many
 * @route: this CPU's
 * @class: the request's
 *
 * Context: BH disabled.
 * Return: the time, to be given to wc_route_learn(); not 0.
 */
u64 wc_route_sample(struct wc_route *route, struct wc_route_class *class)
{
	u64 now = wc_clock(), gap = now - route->sampled, elapsed;
	u64 work;

	route->countdown = WC_ROUTE_SAMPLE - 1;
	route->sampled = now;
	if (unlikely(route->generation != READ_ONCE(wc_generation)))
		wc_route_forget(route);
	if (unlikely(!class->known)) {
		class->known = true;
		class->next = route->known;
		route->known = class;
	}

	work = (u64)(class->weight ?: class->inline_ns) * WC_ROUTE_SAMPLE;
	if (gap > WC_PAUSE_NS && gap / (WC_RATE_ONE / WC_RATE_CALM) > work) {
		wc_route_idle(route, now);
		wc_route_epoch_begin(route, now);
		return now ?: 1;
	}
	class->work += work;
	route->work += work;
	elapsed = now - route->start;
	if (elapsed >= WC_EPOCH_NS) {
		if (route->offloads || route->counts)
			wc_route_count(route);
		work = div64_u64(route->work * WC_RATE_ONE, elapsed);
		wc_route_epoch(route, now, min_t(u64, work, 64 * WC_RATE_ONE));
		wc_route_epoch_begin(route, now);
	}
	return now ?: 1;
}

/**
 * wc_route_busy - whether this CPU has so much to do that offloading may pay
 * @route: this CPU's
 *
 * Context: BH disabled.
 */
bool wc_route_busy(struct wc_route *route)
{
	/* After a pause the first request is not one of many. */
	if (jiffies - route->seen > WC_PAUSE)
		route->busy = false;
	route->seen = jiffies;
	return route->busy;
}

/* Which way a request would go now, and why: read from any CPU, for people. */
static const char *wc_route_way(const struct wc_route *route,
				const struct wc_route_class *class,
				enum wavecrypt_op op)
{
	if (wc_hazard_hold(op) || wc_route_too_long(route, class))
		return wc_mode_names[WC_MODE_INLINE];
	if (READ_ONCE(wc_mode) != WC_MODE_AUTO)
		return wc_mode_names[READ_ONCE(wc_mode)];
	return route->busy && class->offload ? "offload" : "inline";
}

static const char *wc_route_why(const struct wc_route *route,
				const struct wc_route_class *class,
				enum wavecrypt_op op)
{
	u32 offload_ns = wc_route_offload_ns(class);

	if (wc_hazard_hold(op))
		return "hazard";
	if (wc_route_too_long(route, class))
		return "long";
	if (READ_ONCE(wc_mode) != WC_MODE_AUTO)
		return "mode";
	if (!route->busy)
		return "calm";
	if (class->trial)
		return "trial";
	if (class->offload)
		return "gains";
	if (!offload_ns)
		return "untried";
	return offload_ns < class->inline_ns ? "loses" : "costly";
}

static void wc_route_show_class(struct seq_file *file, int cpu,
				unsigned int alg, enum wavecrypt_op op,
				unsigned int length)
{
	const struct wc_route *route = per_cpu_ptr(&wc_routes, cpu);
	const struct wc_route_class *class =
		&route->class[wc_route_index(alg, op, length)];
	s64 due = class->alone.at - wc_clock();

	if (!class->inline_ns)
		return;
	seq_printf(file, "%d %s %s %u %s %s %u %u %u %lld\n", cpu,
		   wc_alg_dir(alg), op ? "decrypt" : "encrypt",
		   1U << (length + WC_ROUTE_SHORTEST),
		   wc_route_way(route, class, op),
		   wc_route_why(route, class, op), class->inline_ns,
		   class->submit_ns, class->complete_ns, max(due, 0LL) / NSEC_PER_MSEC);
}

static int wc_route_show(struct seq_file *file, void *unused)
{
	unsigned int alg, op, length;
	int cpu;

	seq_puts(file, "# cpu algorithm op max_len way why inline_ns submit_ns complete_ns trial_in_ms\n");
	for_each_online_cpu(cpu)
		for (alg = 0; alg < WC_ALGS; alg++)
			for (op = 0; op < WAVECRYPT_OPS; op++)
				for (length = 0; length < WC_ROUTE_LENGTHS; length++)
					wc_route_show_class(file, cpu, alg, op,
							    length);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(wc_route);

static struct dentry *wc_route_debugfs;

static void wc_route_free(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		kvfree(per_cpu_ptr(&wc_routes, cpu)->class);
}

/* With more, twice as much would be allocated. */
static_assert(WC_ROUTE_CLASSES * sizeof(struct wc_route_class) <= SZ_32K);

static int wc_route_alloc(int cpu)
{
	struct wc_route *route = per_cpu_ptr(&wc_routes, cpu);

	route->class = kvzalloc_node(array_size(WC_ROUTE_CLASSES,
						sizeof(*route->class)),
				     GFP_KERNEL, cpu_to_node(cpu));
	return route->class ? 0 : -ENOMEM;
}

/**
 * wc_route_init - know nothing yet, and show in debugfs what the router knows
 *
 * Return: 0, or -ENOMEM.
 */
int wc_route_init(void)
{
	int cpu;

	wc_clock_init();
	for_each_possible_cpu(cpu) {
		if (wc_route_alloc(cpu)) {
			wc_route_free();
			return -ENOMEM;
		}
	}
	wc_route_debugfs = debugfs_create_dir("wavecrypt", NULL);
	debugfs_create_file("route", 0400, wc_route_debugfs, NULL,
			    &wc_route_fops);
	return 0;
}

/** wc_route_exit - show it no longer, and forget it */
void wc_route_exit(void)
{
	debugfs_remove(wc_route_debugfs);
	wc_route_free();
}
