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
 * A trial turns one class over and compares the rate with the one before. To
 * be adopted, offloading has to win by a sixteenth, while going back inline
 * has only to come out even; and each time that a trial does not change
 * anything the next one waits twice as long. So there is no oscillation: a
 * decision is turned over by evidence only, and a tie settles for inline,
 * where latency is lower. Trials take at most a percent of the time, and less
 * as they keep failing. A class that costs this CPU as much to hand over and
 * take back as to do is never tried.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */

#include <linux/debugfs.h>
#include <linux/log2.h>
#include <linux/moduleparam.h>
#include <linux/percpu.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/sysfs.h>

#include "queue.h"
#include "route.h"

enum wc_mode {
	WC_MODE_AUTO,
	WC_MODE_INLINE,
	WC_MODE_OFFLOAD,
};

static const char * const wc_mode_names[] = { "auto", "inline", "offload" };
static unsigned int wc_mode = WC_MODE_AUTO;

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
		pr_err("%s cannot be '%s'; modinfo wavecrypt says what it can\n",
		       kp->name, val);
		return i;
	}
	WRITE_ONCE(*words->value, i);
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

/* Ranges of lengths: up to 128 bytes, 256, and so on; the last is open. */
#define WC_ROUTE_LENGTHS	8
#define WC_ROUTE_SHORTEST	7
#define WC_ROUTE_CLASSES						\
	(WAVECRYPT_ALGS * WAVECRYPT_OPS * WC_ROUTE_LENGTHS)

/* An epoch is at least so long (ns), and has at least so many requests. */
#define WC_EPOCH_NS		(NSEC_PER_MSEC)
#define WC_EPOCH_REQUESTS	64
/* With fewer than those in this time (ns), the CPU is as good as idle. */
#define WC_EPOCH_IDLE_NS	(20 * NSEC_PER_MSEC)
/* And after such a pause, in jiffies, it is no longer busy. */
#define WC_PAUSE		(HZ / 100 + 1)
/* Epochs whose rates are averaged, before and in a trial. */
#define WC_TRIAL_EPOCHS		3
/* Time (ns) between trials of a class: doubled so often, at most. */
#define WC_TRIAL_NS		(100 * NSEC_PER_MSEC)
#define WC_TRIAL_BACKOFF	4

/* Rates are parts of 1024. */
#define WC_RATE_ONE		1024
/* The CPU is busy from the one on, no longer below the other. */
#define WC_RATE_BUSY		(WC_RATE_ONE / 5)
#define WC_RATE_CALM		(WC_RATE_ONE / 8)

/* One in so many requests is timed. */
#define WC_SAMPLE		32

/**
 * struct wc_route - what a CPU knows
 * @busy: offloading may pay
 * @class: as wc_route_index() has it
 * @seen: jiffies at the last request
 * @start: when the present epoch began
 * @work: work submitted in it, in ns
 * @requests: requests submitted in it
 * @rate: sum of the rates of the epochs counted in @epochs
 * @epochs: how many since the last change, negative: to be skipped, while
 *	what was in flight at the change is still coming back
 * @trial: the class that is tried the other way, or NULL
 * @before: average rate before the trial
 *
 * Its own CPU's alone, with BH disabled.
 */
struct wc_route {
	bool busy;
	struct wc_route_class class[WC_ROUTE_CLASSES];
	unsigned long seen;
	u64 start;
	u64 work;
	u32 requests;
	u32 rate;
	int epochs;
	struct wc_route_class *trial;
	u32 before;
};

static DEFINE_PER_CPU(struct wc_route, wc_routes);
static DEFINE_PER_CPU(u32, wc_route_count);

static unsigned int wc_route_index(unsigned int alg, unsigned int op,
				   unsigned int length)
{
	return (alg * WAVECRYPT_OPS + op) * WC_ROUTE_LENGTHS + length;
}

/**
 * wc_route_class - the class that a request belongs to
 * @alg: &enum wavecrypt_alg
 * @op: its direction
 * @len: bytes of payload
 *
 * Context: BH disabled.
 */
struct wc_route_class *wc_route_class(unsigned int alg, enum wavecrypt_op op,
				      unsigned int len)
{
	unsigned int i = clamp(fls(len ? len - 1 : 0), WC_ROUTE_SHORTEST,
			       WC_ROUTE_SHORTEST + WC_ROUTE_LENGTHS - 1);

	i = wc_route_index(alg, op, i - WC_ROUTE_SHORTEST);
	return &this_cpu_ptr(&wc_routes)->class[i];
}

/**
 * wc_route_sampled - whether to time this request
 *
 * Context: BH disabled.
 */
bool wc_route_sampled(void)
{
	return !(__this_cpu_inc_return(wc_route_count) % WC_SAMPLE);
}

/* What a class costs this CPU offloaded; 0 if that is not known. */
static u32 wc_route_offload_ns(const struct wc_route_class *class)
{
	return class->complete_ns ? class->submit_ns + class->complete_ns : 0;
}

static void wc_route_change(struct wc_route *route)
{
	route->rate = 0;
	route->epochs = -1;
}

static void wc_route_trial_end(struct wc_route *route, u64 now, u32 rate)
{
	struct wc_route_class *class = route->trial;
	u32 before = route->before, offload_ns = wc_route_offload_ns(class);
	bool keep;

	route->trial = NULL;
	if (class->offload && wc_prefer == WC_PREFER_CPU &&
	    offload_ns < class->inline_ns)
		keep = rate >= before - before / 32;
	else if (class->offload)
		keep = rate >= before + before / 16;
	else if (wc_prefer == WC_PREFER_CPU && offload_ns < class->inline_ns)
		keep = rate >= before + before / 32;
	else
		keep = rate >= before - before / 32;

	if (keep) {
		class->backoff = 0;
	} else {
		class->offload = !class->offload;
		if (class->backoff < WC_TRIAL_BACKOFF)
			class->backoff++;
	}
	class->trial_at = now + ((u64)WC_TRIAL_NS << class->backoff);
	wc_route_change(route);
}

/* A class worth trying the other way: it matters, it may gain, it is time. */
static struct wc_route_class *wc_route_candidate(struct wc_route *route,
						 u64 now)
{
	struct wc_route_class *class;

	for (class = route->class; class < route->class + WC_ROUTE_CLASSES;
	     class++) {
		if (class->work < route->work / 8 || now < class->trial_at)
			continue;
		if (!class->offload &&
		    wc_route_offload_ns(class) >= class->inline_ns)
			continue;
		return class;
	}
	return NULL;
}

static void wc_route_epoch(struct wc_route *route, u64 now, u64 elapsed)
{
	u32 rate = min_t(u64, div64_u64(route->work * WC_RATE_ONE, elapsed),
			 64 * WC_RATE_ONE);

	if (rate < (route->busy ? WC_RATE_CALM : WC_RATE_BUSY)) {
		if (route->trial) {
			/* Not a word on which way is better. */
			route->trial->offload = !route->trial->offload;
			route->trial = NULL;
		}
		route->busy = false;
		wc_route_change(route);
		return;
	}
	if (!route->busy) {
		route->busy = true;
		wc_route_change(route);
		return;
	}

	if (route->epochs >= 0)
		route->rate += rate;
	if (++route->epochs < WC_TRIAL_EPOCHS)
		return;
	rate = route->rate / WC_TRIAL_EPOCHS;
	if (route->trial) {
		wc_route_trial_end(route, now, rate);
		return;
	}
	route->trial = wc_route_candidate(route, now);
	if (route->trial) {
		route->trial->offload = !route->trial->offload;
		route->before = rate;
		wc_route_change(route);
		return;
	}
	route->rate = 0;
	route->epochs = 0;
}

static void wc_route_tick(struct wc_route *route)
{
	u64 now = wc_clock(), elapsed = now - route->start;
	unsigned int i;

	if (elapsed < WC_EPOCH_NS)
		return;
	if (elapsed > WC_EPOCH_IDLE_NS || route->requests >= WC_EPOCH_REQUESTS) {
		wc_route_epoch(route, now, elapsed);
		for (i = 0; i < WC_ROUTE_CLASSES; i++)
			route->class[i].work = 0;
		route->start = now;
		route->work = 0;
		route->requests = 0;
	}
}

/**
 * wc_route_offload - whether a request that could be offloaded should be
 * @tfm: its transform
 * @rq: the request
 *
 * Context: BH disabled.
 */
bool wc_route_offload(const struct wc_tfm *tfm, struct wc_req *rq)
{
	struct wc_route *route = this_cpu_ptr(&wc_routes);
	struct wc_route_class *class;

	switch (READ_ONCE(wc_mode)) {
	case WC_MODE_INLINE:
		return false;
	case WC_MODE_OFFLOAD:
		return true;
	}

	class = wc_route_class(tfm->alg->id, rq->op, rq->len);
	/* After a pause the first request is not one of many. */
	if (unlikely(jiffies - route->seen > WC_PAUSE))
		route->busy = false;
	route->seen = jiffies;
	class->work += class->inline_ns;
	route->work += class->inline_ns;
	if (!(++route->requests % 16))
		wc_route_tick(route);
	return route->busy && class->offload;
}

/* Which way a request would go now; read from any CPU, for people to see. */
static const char *wc_route_way(const struct wc_route *route,
				const struct wc_route_class *class)
{
	if (READ_ONCE(wc_mode) != WC_MODE_AUTO)
		return wc_mode_names[READ_ONCE(wc_mode)];
	return route->busy && class->offload ? "offload" : "inline";
}

static void wc_route_show_class(struct seq_file *file, int cpu,
				const struct wc_route *route, unsigned int alg,
				unsigned int op, unsigned int length)
{
	const struct wc_route_class *class =
		&route->class[wc_route_index(alg, op, length)];
	s64 due = class->trial_at - wc_clock();

	if (!class->inline_ns)
		return;
	seq_printf(file, "%d %d %s %s %u %s %u %u %u %lld\n", cpu,
		   route->busy, wc_alg_dir(alg), op ? "decrypt" : "encrypt",
		   1U << (length + WC_ROUTE_SHORTEST),
		   wc_route_way(route, class), class->inline_ns,
		   class->submit_ns, class->complete_ns,
		   max(due, 0LL) / NSEC_PER_MSEC);
}

static int wc_route_show(struct seq_file *file, void *unused)
{
	unsigned int alg, op, length;
	int cpu;

	seq_puts(file, "# cpu busy algorithm op max_len way inline_ns submit_ns complete_ns trial_in_ms\n");
	for_each_online_cpu(cpu)
		for (alg = 1; alg < WAVECRYPT_ALGS; alg++)
			for (op = 0; op < WAVECRYPT_OPS; op++)
				for (length = 0; length < WC_ROUTE_LENGTHS; length++)
					wc_route_show_class(file, cpu, per_cpu_ptr(&wc_routes, cpu),
							    alg, op, length);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(wc_route);

static struct dentry *wc_route_debugfs;

/** wc_route_init - show in debugfs what the router knows */
void wc_route_init(void)
{
	wc_clock_init();
	wc_route_debugfs = debugfs_create_dir("wavecrypt", NULL);
	debugfs_create_file("route", 0400, wc_route_debugfs, NULL,
			    &wc_route_fops);
}

/** wc_route_exit - show it no longer */
void wc_route_exit(void)
{
	debugfs_remove(wc_route_debugfs);
}
