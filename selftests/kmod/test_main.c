// SPDX-License-Identifier: GPL-2.0-only
/*
 * wavecrypt_test: random requests through the module and through the kernel's
 * generic implementation, and whether there is any difference
 *
 * Loading it runs it, and writing to the parameter run once more, with what the
 * other parameters say then. failures says how often there was a difference, and
 * the kernel's log what the first one was and how to have it again:
 *
 *	modprobe wavecrypt_test requests=100000 seed=5
 *	wavecrypt_test: byte 20 of the destination: wanted ab, got cd
 *	wavecrypt_test: seed 5, worker 1, number 234: rfc4106(gcm(aes)), ...
 *	modprobe wavecrypt_test requests=100000 seed=5 worker=1 number=234
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <linux/module.h>
#include <linux/random.h>
#include <linux/string.h>

#include "test.h"

struct test_setup test_setup = {
	.requests = 20000,
	.workers = 2,
	.depth = 128,
	.algs = TEST_ALGS,
	.bind = true,
	.strict = true,
	.driver = "wavecrypt",
	.patience = 60,
	.worker = -1,
	.number = -1,
};

struct test_tally test_tally;

module_param_named(seed, test_setup.seed, ullong, 0644);
MODULE_PARM_DESC(seed, "repeats a run (default 0: a random one)");
module_param_named(requests, test_setup.requests, uint, 0644);
MODULE_PARM_DESC(requests, "how many, of all workers together (default 20000)");
module_param_named(workers, test_setup.workers, uint, 0644);
MODULE_PARM_DESC(workers, "tasks on each CPU (default 2)");
module_param_named(depth, test_setup.depth, uint, 0644);
MODULE_PARM_DESC(depth, "most requests of a worker in flight (default 128)");
module_param_named(algs, test_setup.algs, uint, 0644);
MODULE_PARM_DESC(algs, "no more algorithms than these (default: all that there are)");
module_param_named(bind, test_setup.bind, bool, 0644);
MODULE_PARM_DESC(bind, "workers stay on their CPU (default Y; N where CPUs come and go)");
module_param_named(moves, test_setup.moves, bool, 0644);
MODULE_PARM_DESC(moves, "workers go from CPU to CPU, and their own SAs' order with them (default N; wants bind=N)");
module_param_named(strict, test_setup.strict, bool, 0644);
MODULE_PARM_DESC(strict, "completions are in order, keys are set while requests are in flight (default Y; N where pcrypt is around the module)");
module_param_named(driver, test_setup.driver, charp, 0644);
MODULE_PARM_DESC(driver, "what the name of the tested driver has in it (default wavecrypt)");
module_param_named(patience, test_setup.patience, uint, 0644);
MODULE_PARM_DESC(patience, "seconds without any completion after which requests are lost (default 60)");
module_param_named(pending, test_setup.pending, uint, 0644);
MODULE_PARM_DESC(pending, "no more of a CPU's requests to an SA may be pending, but for a callback's (default 0: any number)");
module_param_named(worker, test_setup.worker, int, 0644);
MODULE_PARM_DESC(worker, "only this one's requests");
module_param_named(number, test_setup.number, int, 0644);
MODULE_PARM_DESC(number, "only the request of this number");
module_param_named(failures, test_tally.failures.counter, int, 0444);
MODULE_PARM_DESC(failures, "what was found");
module_param_named(tested_algs, test_tally.algs, uint, 0444);
MODULE_PARM_DESC(tested_algs, "algorithms that there were");
module_param_named(waited, test_tally.waited.counter, int, 0444);
MODULE_PARM_DESC(waited, "requests that did not complete in the call");
module_param_named(most_pending, test_tally.most_pending.counter, int, 0444);
MODULE_PARM_DESC(most_pending, "of a CPU's requests to an SA");
module_param_named(rekeyed, test_tally.rekeyed.counter, int, 0444);
MODULE_PARM_DESC(rekeyed, "keys that were set while requests were in flight");

static void summary(void)
{
	const struct test_tally *t = &test_tally;

	pr_info("seed %llu: %d requests, of %u algorithms, %d of them asynchronous, %d from callbacks, up to %d in flight; %d forgeries and %d other errors as expected, %d for want of memory\n",
		test_setup.seed, atomic_read(&t->requests), t->algs,
		atomic_read(&t->waited),
		atomic_read(&t->chained), atomic_read(&t->deepest),
		atomic_read(&t->forged), atomic_read(&t->refused),
		atomic_read(&t->no_memory));
	pr_info("%d keys and lengths, %d of them refused, %d with requests in flight; %d transforms freed in flight; %d times no memory to test with; %d failures\n",
		atomic_read(&t->keys), atomic_read(&t->bad_keys),
		atomic_read(&t->rekeyed), atomic_read(&t->transforms),
		atomic_read(&t->skipped), atomic_read(&t->failures));
}

static int run(void)
{
	int err;

	if (!test_setup.depth || !test_setup.workers)
		return -EINVAL;
	memset(&test_tally, 0, sizeof(test_tally));
	while (!test_setup.seed)
		test_setup.seed = get_random_u32();
	test_tally.algs = test_algs_find();
	if (!test_tally.algs)
		return -ENOENT;
	err = test_run();
	if (!err)
		summary();
	return err;
}

static int run_again(const char *val, const struct kernel_param *kp)
{
	return run();
}

static const struct kernel_param_ops run_ops = { .set = run_again };
module_param_cb(run, &run_ops, NULL, 0200);
MODULE_PARM_DESC(run, "write anything to run it again");

static int __init test_init(void)
{
	return run();
}

static void __exit test_exit(void)
{
}

module_init(test_init);
module_exit(test_exit);

MODULE_LICENSE("GPL");
MODULE_AUTHOR("The wavecrypt authors");
MODULE_DESCRIPTION("Random requests to wavecrypt, compared with the generic implementation");
