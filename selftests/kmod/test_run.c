// SPDX-License-Identifier: GPL-2.0-only
/*
 * wavecrypt_test: workers that submit requests, and wait for them to come back
 *
 * A worker draws requests, submits some at a time, and checks those that are
 * done. Every so often it waits for all of its own and changes its SAs' keys;
 * between these times, in every other epoch, it does so without waiting.
 * What a request is follows from the seed, the worker and the request's number;
 * when it comes back does not.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <linux/completion.h>
#include <linux/cpu.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/version.h>
#include <crypto/internal/simd.h>

#include "test.h"

/* Requests that a worker does before its SAs change */
#define EPOCH		256
/* and, where they change while they are busy, before one of them does */
#define REKEY		32
#define BURST		32
#define OWN_SAS		(TEST_ALGS * 2)
#define SHARED_SAS	TEST_ALGS

/* Streams of randomness that no worker's number is */
#define STREAM_SHARED	0x100000000ULL
#define STREAM_SAS	0x200000000ULL
#define STREAM_BURSTS	0x300000000ULL
#define STREAM_KEYS	0x400000000ULL

/**
 * struct test_worker - a task that submits
 * @task: the task
 * @finished: it is about to end
 * @id: its number
 * @cpu: where it submits
 * @moved: when it came there, in jiffies
 * @count: how many requests are its part
 * @sa: its own SAs
 * @cases: as many as may be in flight
 * @free: those that are not
 * @nr_free: how many
 * @done: those that came back
 * @deferred: those whose turn came on another CPU
 * @wait: for either
 * @lost: some did not come back
 */
struct test_worker {
	struct task_struct *task;
	struct completion finished;
	u32 id;
	int cpu;
	unsigned long moved;
	u32 count;
	struct test_sa sa[OWN_SAS];
	struct test_case *cases;
	struct test_case **free;
	u32 nr_free;
	struct llist_head done;
	struct llist_head deferred;
	wait_queue_head_t wait;
	bool lost;
};

static struct test_sa shared[SHARED_SAS];
/* What this CPU is submitting to with BH disabled, as ESP may with locks held */
static DEFINE_PER_CPU(struct test_sa *, submitting);
static bool stop;
/* Requests were lost, and whoever has them may still write to their memory. */
static bool spoilt;

/** test_fail - something is wrong; true for the first time, to be told in full */
bool test_fail(void)
{
	return atomic_inc_return(&test_tally.failures) == 1;
}

/** test_stopped - whether to end: asked to, or because of a failure */
bool test_stopped(void)
{
	return READ_ONCE(stop) || atomic_read(&test_tally.failures);
}

/** test_worker_id - the number that makes a worker's requests its own */
u32 test_worker_id(const struct test_worker *worker)
{
	return worker->id;
}

static void submit(struct test_case *c);

static void note_most(atomic_t *most, int now)
{
	int old = atomic_read(most);

	while (now > old && !atomic_try_cmpxchg(most, &old, now))
		;
}

/* Callbacks may add a few, of which one may be running. */
static void note_pending(struct test_sa *sa, unsigned int cpu)
{
	u32 pending = test_sa_pending(sa, cpu);

	note_most(&test_tally.most_pending, pending);
	if (test_setup.pending && pending > test_setup.pending + 16 + 1 &&
	    test_fail())
		pr_err("%u of a CPU's requests to an SA are pending\n", pending);
}

/* The next one is submitted from a callback, as a tunnel in a tunnel does. */
static void follow(struct test_case *next)
{
	struct test_worker *worker = next->worker;

	if (worker->cpu != raw_smp_processor_id()) {
		llist_add(&next->node, &worker->deferred);
		wake_up(&worker->wait);
		return;
	}
	atomic_inc(&test_tally.chained);
	submit(next);
}

static void callback(struct test_case *c, int err);

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 3, 0)
static void done(struct crypto_async_request *base, int err)
{
	callback(base->data, err);
}
#else
static void done(void *data, int err)
{
	callback(data, err);
}
#endif

/* From here on the worker may do with the case as it likes. */
static void finish(struct test_case *c, int err, const char *wrong)
{
	struct test_worker *worker = c->worker;
	struct test_case *next = c->chain;
	const char *changed;

	if (atomic_xchg(&c->state, TEST_DONE) != TEST_SUBMITTED) {
		if (test_fail()) {
			pr_err("a request was completed twice, now with %d\n", err);
			test_describe(c);
		}
		return;
	}
	changed = test_case_changed(c, done);
	c->err = err;
	c->chain = NULL;
	/* As ESP does, which has it in the packet: it is gone after this. */
	aead_request_free(c->req);
	c->req = NULL;
	atomic_dec(&test_tally.in_flight);
	if (!test_sa_leave(c->sa, c->cpu, test_case_ordered(c), c->seq) && test_setup.strict)
		wrong = "out of order";
	c->wrong = wrong ?: changed;
	llist_add(&c->node, &worker->done);
	wake_up(&worker->wait);
	if (next)
		follow(next);
}

/* Its callback may want a lock that is held meanwhile. */
static bool other_submits(const struct test_sa *sa)
{
	const struct test_sa *to = this_cpu_read(submitting);

	return to && to != sa;
}

static void callback(struct test_case *c, int err)
{
	const char *wrong = NULL;

	if (err == -EINPROGRESS) {
		if (c->flags & CRYPTO_TFM_REQ_MAY_BACKLOG)
			return;
		wrong = "notified of a backlog that it may not be in";
	}
	if (!in_softirq() || in_hardirq() || irqs_disabled())
		wrong = "completed with softirqs enabled, or interrupts disabled";
	else if (other_submits(c->sa))
		wrong = "completed in the call that submits to another SA";
	atomic_inc(&test_tally.waited);
	finish(c, err, wrong);
}

/* The one is 6.1's name, the other 7.2's. */
#if defined(CONFIG_CRYPTO_MANAGER_EXTRA_TESTS) || defined(CONFIG_CRYPTO_SELFTESTS_FULL)
/* The kernel's own drivers put requests off, as in a softirq that came while
 * somebody used the vector registers.
 */
static void deny_simd(bool deny)
{
	__this_cpu_write(crypto_simd_disabled_for_test, deny);
}
#else
static void deny_simd(bool deny)
{
}
#endif

/* Requests that two CPUs submit at a time have no order; those of a worker that goes
 * from one to the other have.
 */
static unsigned int whose_order(const struct test_sa *sa)
{
	return test_setup.moves && sa->kind != TEST_SHARED ? 0 : raw_smp_processor_id();
}

static void submit_here(struct test_case *c)
{
	bool no_simd = c->no_simd, ordered = test_case_ordered(c);
	unsigned int cpu = whose_order(c->sa);
	struct test_sa *sa = c->sa;
	u32 flags = c->flags;
	int err;

	c->cpu = cpu;
	if (ordered)
		c->seq = test_sa_enter(sa, cpu);
	atomic_set(&c->state, TEST_SUBMITTED);
	note_most(&test_tally.deepest, atomic_inc_return(&test_tally.in_flight));
	if (no_simd)
		deny_simd(true);
	err = c->decrypt ? crypto_aead_decrypt(c->req) : crypto_aead_encrypt(c->req);
	if (no_simd)
		deny_simd(false);
	if (err == -EINPROGRESS || (err == -EBUSY && flags & CRYPTO_TFM_REQ_MAY_BACKLOG)) {
		/* It may be back, and another one's. */
		if (ordered)
			note_pending(sa, cpu);
		return;
	}
	finish(c, err, NULL);
}

/* One that a callback submits is submitted in what the callback is part of. */
static void submit_locked(struct test_case *c)
{
	struct test_sa *outer = this_cpu_read(submitting);

	this_cpu_write(submitting, c->sa);
	submit_here(c);
	this_cpu_write(submitting, outer);
}

/* What makes the order of a CPU's submissions to an SA a matter of fact */
static void submit(struct test_case *c)
{
	struct test_sa *sa = c->sa;

	switch (sa->kind) {
	case TEST_TASK:
		migrate_disable();
		submit_here(c);
		migrate_enable();
		break;
	case TEST_SOFTIRQ:
		local_bh_disable();
		submit_locked(c);
		local_bh_enable();
		break;
	default:
		spin_lock_bh(&sa->submit);
		submit_locked(c);
		spin_unlock_bh(&sa->submit);
		break;
	}
}

static struct test_sa *draw_sa(struct test_worker *worker, struct test_rand *rand)
{
	u32 i = test_below(rand, OWN_SAS + SHARED_SAS);

	return i < OWN_SAS ? &worker->sa[i] : &shared[i - OWN_SAS];
}

/* Draw a case. Without memory it is passed over. */
static struct test_case *prepare(struct test_worker *worker, u32 number)
{
	struct test_case *c = worker->free[worker->nr_free - 1];
	struct aead_request *req;
	struct test_rand rand;

	test_rand_seed(&rand, test_setup.seed, worker->id, number);
	c->number = number;
	c->sa = draw_sa(worker, &rand);
	c->wrong = NULL;
	c->chain = NULL;
	if (test_case_draw(c, &rand))
		goto skip;
	req = aead_request_alloc(c->sa->tfm, GFP_KERNEL);
	if (!req)
		goto skip;
	test_case_request(c, req, done);
	atomic_set(&c->state, TEST_PREPARED);
	test_sa_expect(c->sa);
	worker->nr_free--;
	return c;

skip:
	test_case_drop(c);
	atomic_inc(&test_tally.skipped);
	return NULL;
}

static void count(const struct test_case *c)
{
	atomic_inc(&test_tally.requests);
	if (c->err == -EBADMSG)
		atomic_inc(&test_tally.forged);
	else if (c->err)
		atomic_inc(&test_tally.refused);
}

/* Check what is done; submit what was left to us. */
static void collect(struct test_worker *worker)
{
	struct llist_node *list;
	struct test_case *c, *next;

	list = llist_reverse_order(llist_del_all(&worker->deferred));
	llist_for_each_entry_safe(c, next, list, node)
		submit(c);

	list = llist_reverse_order(llist_del_all(&worker->done));
	llist_for_each_entry_safe(c, next, list, node) {
		test_case_check(c);
		count(c);
		test_case_drop(c);
		atomic_set(&c->state, TEST_IDLE);
		worker->free[worker->nr_free++] = c;
	}
}

static bool anything(struct test_worker *worker)
{
	return !llist_empty(&worker->done) || !llist_empty(&worker->deferred);
}

static void tell_lost(struct test_worker *worker)
{
	u32 i, nr = 0;

	worker->lost = true;
	if (!test_fail())
		return;
	for (i = 0; i < test_setup.depth; i++) {
		struct test_case *c = &worker->cases[i];

		if (atomic_read(&c->state) != TEST_SUBMITTED)
			continue;
		if (!nr++) {
			pr_err("not completed for %u s, number %u of its SA and CPU, which got %u back of %u:\n",
			       test_setup.patience, c->seq,
			       c->sa->turn[c->cpu].left,
			       c->sa->turn[c->cpu].entered);
			test_describe(c);
		}
	}
	pr_err("worker %u lost %u requests\n", worker->id, nr);
}

/* Wait until so many cases are free. False if they do not come back. */
static bool wait_free(struct test_worker *worker, u32 nr)
{
	collect(worker);
	while (worker->nr_free < nr) {
		if (!wait_event_timeout(worker->wait, anything(worker),
					test_setup.patience * HZ)) {
			tell_lost(worker);
			return false;
		}
		collect(worker);
	}
	return true;
}

/* Some at a time, softirqs disabled in between where they are for all. */
static void submit_burst(struct test_case **cases, u32 nr, bool chains,
			 struct test_rand *rand)
{
	struct test_case *last = NULL;
	u32 i, heads = 0;

	/* An own SA's may follow in the callback of another own SA's. */
	for (i = 0; i < nr; i++) {
		struct test_case *c = cases[i];

		if (last && c->sa->kind == TEST_SOFTIRQ && last->sa->kind != TEST_SHARED &&
		    chains && test_once_in(rand, 3))
			last->chain = c;
		else
			cases[heads++] = c;
		last = c;
	}

	/* Softirqs wait until most of them are in. */
	local_bh_disable();
	for (i = 0; i < heads; i++)
		if (cases[i]->sa->kind != TEST_TASK)
			submit(cases[i]);
	local_bh_enable();
	for (i = 0; i < heads; i++)
		if (cases[i]->sa->kind == TEST_TASK)
			submit(cases[i]);
}

/* To the next CPU, but not as often as if several used its SAs at a time */
static void move(struct test_worker *worker)
{
	if (!time_after(jiffies, worker->moved))
		return;
	worker->moved = jiffies;
	worker->cpu = cpumask_next(worker->cpu, cpu_online_mask);
	if (worker->cpu >= nr_cpu_ids)
		worker->cpu = cpumask_first(cpu_online_mask);
	set_cpus_allowed_ptr(current, cpumask_of(worker->cpu));
}

/* Another key for one of its SAs, whatever that is doing */
static int change_key(struct test_worker *worker, u32 number)
{
	struct test_rand rand;

	test_rand_seed(&rand, test_setup.seed, STREAM_KEYS | worker->id, number);
	return test_sa_rekey(&worker->sa[test_below(&rand, OWN_SAS)], &rand);
}

/* Requests from one number up to another, with the same SAs all the way */
static bool run_epoch(struct test_worker *worker, u32 epoch)
{
	u32 next = epoch * EPOCH, end = min(next + EPOCH, worker->count);
	bool rekeys = test_setup.strict && epoch % 2;
	struct test_case *burst[BURST];
	struct test_rand rand;
	u32 i, nr, want, until;

	test_rand_seed(&rand, test_setup.seed, STREAM_SAS | worker->id, epoch);
	for (i = 0; i < OWN_SAS; i++)
		if (test_sa_change(&worker->sa[i], &rand)) {
			atomic_inc(&test_tally.skipped);
			return true;
		}

	test_rand_seed(&rand, test_setup.seed, STREAM_BURSTS | worker->id, epoch);
	while (next < end && !test_stopped()) {
		if (rekeys && next % REKEY == 0 && change_key(worker, next)) {
			atomic_inc(&test_tally.skipped);
			break;
		}
		until = rekeys ? min(next - next % REKEY + REKEY, end) : end;
		want = test_between(&rand, 1, min_t(u32, BURST, test_setup.depth));
		if (!wait_free(worker, want))
			return false;
		for (nr = 0; nr < want && next < until; next++) {
			if (test_setup.number >= 0 && test_setup.number != next)
				continue;
			burst[nr] = prepare(worker, next);
			if (burst[nr])
				nr++;
		}
		/* What follows in a callback has the key that it was drawn for. */
		submit_burst(burst, nr, test_setup.bind && !rekeys, &rand);
		if (test_setup.moves)
			move(worker);
	}

	for (i = 0; i < OWN_SAS; i++)
		if (test_once_in(&rand, 3))
			test_sa_doom(&worker->sa[i]);
	return wait_free(worker, test_setup.depth);
}

static int work(void *data)
{
	struct test_worker *worker = data;
	u32 epoch, first = 0, last = DIV_ROUND_UP(worker->count, EPOCH);

	if (test_setup.number >= 0) {
		first = test_setup.number / EPOCH;
		last = min(last, first + 1);
	}
	for (epoch = first; epoch < last && !test_stopped(); epoch++) {
		if (!run_epoch(worker, epoch))
			break;
		cond_resched();
	}
	kthread_complete_and_exit(&worker->finished, 0);
}

static int worker_init(struct test_worker *worker, u32 id, int cpu, u32 requests)
{
	struct test_rand rand;
	u32 i;
	int err;

	worker->id = id;
	worker->cpu = cpu;
	worker->count = requests;
	init_completion(&worker->finished);
	init_waitqueue_head(&worker->wait);
	init_llist_head(&worker->done);
	init_llist_head(&worker->deferred);
	worker->cases = kvcalloc(test_setup.depth, sizeof(*worker->cases), GFP_KERNEL);
	worker->free = kvcalloc(test_setup.depth, sizeof(*worker->free), GFP_KERNEL);
	if (!worker->cases || !worker->free)
		return -ENOMEM;
	for (i = 0; i < test_setup.depth; i++) {
		worker->cases[i].worker = worker;
		worker->free[worker->nr_free++] = &worker->cases[i];
	}
	for (i = 0; i < OWN_SAS; i++) {
		test_rand_seed(&rand, test_setup.seed, STREAM_SAS | id, U32_MAX - i);
		err = test_sa_init(&worker->sa[i], test_alg_of(i % TEST_ALGS),
				   i / TEST_ALGS ? TEST_SOFTIRQ : TEST_TASK, &rand);
		if (err)
			return err;
	}
	worker->task = kthread_create(work, worker, "wavecrypt_test/%u", id);
	if (IS_ERR(worker->task)) {
		err = PTR_ERR(worker->task);
		worker->task = NULL;
		return err;
	}
	if (test_setup.bind)
		kthread_bind(worker->task, cpu);
	return 0;
}

static void worker_exit(struct test_worker *worker)
{
	u32 i;

	for (i = 0; i < OWN_SAS; i++)
		test_sa_exit(&worker->sa[i]);
	kvfree(worker->free);
	kvfree(worker->cases);
}

static void wait_for(struct test_worker *worker)
{
	while (wait_for_completion_interruptible(&worker->finished)) {
		/* The others see it, too. */
		WRITE_ONCE(stop, true);
		flush_signals(current);
	}
}

/**
 * test_run - have every CPU submit requests, and check what becomes of them
 *
 * Return: 0, with what happened in &test_tally, or why it could not begin.
 */
int test_run(void)
{
	struct test_worker *workers;
	struct test_rand rand;
	bool lost = false;
	int cpu = -1, err = 0;
	u32 i, nr, begun = 0, shares = 0;

	if (spoilt)
		return -EBUSY;
	stop = false;
	nr = num_online_cpus() * test_setup.workers;
	workers = kvcalloc(nr, sizeof(*workers), GFP_KERNEL);
	if (!workers)
		return -ENOMEM;

	for (; shares < SHARED_SAS && !err; shares++) {
		test_rand_seed(&rand, test_setup.seed, STREAM_SHARED, shares);
		err = test_sa_init(&shared[shares], test_alg_of(shares),
				   TEST_SHARED, &rand);
	}
	for (; begun < nr && !err; begun++) {
		cpu = cpumask_next(cpu, cpu_online_mask);
		if (cpu >= nr_cpu_ids)
			cpu = cpumask_first(cpu_online_mask);
		err = worker_init(&workers[begun], begun, cpu,
				  test_setup.requests / nr + (begun < test_setup.requests % nr));
	}

	for (i = 0; i < begun; i++) {
		struct test_worker *worker = &workers[i];

		if (!worker->task)
			continue;
		if (err || (test_setup.worker >= 0 && test_setup.worker != i)) {
			/* It never ran, and so did not complete either. */
			kthread_stop(worker->task);
			worker->task = NULL;
		} else {
			wake_up_process(worker->task);
		}
	}
	for (i = 0; i < begun; i++)
		if (workers[i].task) {
			wait_for(&workers[i]);
			lost |= workers[i].lost;
		}
	if (lost) {
		spoilt = true;
		__module_get(THIS_MODULE);
		return 0;
	}

	while (begun--)
		worker_exit(&workers[begun]);
	while (shares--)
		test_sa_exit(&shared[shares]);
	kvfree(workers);
	return err;
}
