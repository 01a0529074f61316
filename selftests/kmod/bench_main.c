// SPDX-License-Identifier: GPL-2.0-only
/*
 * wavecrypt_bench: /dev/wavecrypt_bench
 *
 * Writing a specification measures, in the writer's context and on the writer's
 * CPU, which had better be pinned. Reading returns what the last measurement
 * found, a line of JSON for every sample. Writing the word pingpong measures the
 * distance to a process that mapped the device (see bench_pingpong.c), and the word
 * interrupt what it takes to interrupt another CPU.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/miscdevice.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "bench.h"

#define OUTPUT_SIZE	(512 * 1024)
#define LONGEST_SPEC	1024

static DEFINE_MUTEX(lock);
static struct bench_output output;
static u64 cycles_per_ms;

/**
 * bench_cycles_to_ns - convert a time
 * @cycles: in cycles of the time stamp counter
 */
u64 bench_cycles_to_ns(u64 cycles)
{
	return mul_u64_u64_div_u64(cycles, NSEC_PER_MSEC, cycles_per_ms);
}

/**
 * bench_ns_to_cycles - convert a time
 * @ns: in nanoseconds
 */
u64 bench_ns_to_cycles(u64 ns)
{
	return mul_u64_u64_div_u64(ns, cycles_per_ms, NSEC_PER_MSEC);
}

static void calibrate(void)
{
	ktime_t begin = ktime_get();
	u64 cycles = bench_cycles();
	s64 ns;

	do {
		ns = ktime_to_ns(ktime_sub(ktime_get(), begin));
	} while (ns < 20 * NSEC_PER_MSEC);
	cycles_per_ms = mul_u64_u64_div_u64(bench_cycles() - cycles, NSEC_PER_MSEC, ns);
}

/**
 * bench_print - add to what the device returns
 * @out: what that is. Were it to become too long, it is cut off.
 * @fmt: as printk
 */
void bench_print(struct bench_output *out, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	out->used += vscnprintf(out->text + out->used, out->size - out->used, fmt, args);
	va_end(args);
}

/**
 * bench_print_time - add a time
 * @out: to what
 * @name: what it is the time of
 * @cycles: the time
 */
void bench_print_time(struct bench_output *out, const char *name, u64 cycles)
{
	bench_print(out, ",\"%s_ns\":%llu", name, bench_cycles_to_ns(cycles));
}

static int measure(char *text)
{
	struct bench_spec spec;
	int err;

	err = bench_spec_parse(&spec, text);
	if (err)
		return err;
	if (spec.what == BENCH_AEAD || spec.what == BENCH_STALL)
		return bench_aead(&spec, &output);
	return bench_gateway(&spec, &output);
}

static ssize_t bench_write(struct file *file, const char __user *from, size_t len,
			   loff_t *pos)
{
	char *text;
	int err;

	if (len > LONGEST_SPEC)
		return -E2BIG;
	text = memdup_user_nul(from, len);
	if (IS_ERR(text))
		return PTR_ERR(text);

	err = mutex_lock_interruptible(&lock);
	if (err)
		goto free;
	output.used = 0;
	if (!strcmp(strim(text), "pingpong"))
		err = bench_pingpong(&output);
	else if (!strcmp(strim(text), "interrupt"))
		err = bench_interrupt(&output);
	else
		err = measure(text);
	mutex_unlock(&lock);
free:
	kfree(text);
	return err ?: len;
}

static ssize_t bench_read(struct file *file, char __user *to, size_t len, loff_t *pos)
{
	ssize_t ret;

	ret = mutex_lock_interruptible(&lock);
	if (ret)
		return ret;
	ret = simple_read_from_buffer(to, len, pos, output.text, output.used);
	mutex_unlock(&lock);
	return ret;
}

static int bench_mmap(struct file *file, struct vm_area_struct *vma)
{
	return bench_pingpong_mmap(vma);
}

static const struct file_operations bench_fops = {
	.owner	= THIS_MODULE,
	.write	= bench_write,
	.read	= bench_read,
	.mmap	= bench_mmap,
	.llseek	= default_llseek,
};

static struct miscdevice bench_device = {
	.minor	= MISC_DYNAMIC_MINOR,
	.name	= "wavecrypt_bench",
	.fops	= &bench_fops,
};

static int __init bench_init(void)
{
	int err;

	output.size = OUTPUT_SIZE;
	output.text = kvmalloc(output.size, GFP_KERNEL);
	if (!output.text)
		return -ENOMEM;
	err = bench_pingpong_init();
	if (err)
		goto free;
	err = bench_gateway_init();
	if (err)
		goto exit;
	calibrate();
	err = misc_register(&bench_device);
	if (err)
		goto gateway;
	bench_held_init();
	return 0;

gateway:
	bench_gateway_exit();
exit:
	bench_pingpong_exit();
free:
	kvfree(output.text);
	return err;
}

static void __exit bench_exit(void)
{
	misc_deregister(&bench_device);
	bench_held_exit();
	bench_gateway_exit();
	bench_pingpong_exit();
	kvfree(output.text);
}

module_init(bench_init);
module_exit(bench_exit);

MODULE_LICENSE("GPL");
MODULE_AUTHOR("The wavecrypt authors");
MODULE_DESCRIPTION("What AEAD drivers cost, asked as ESP asks them");
