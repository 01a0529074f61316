// SPDX-License-Identifier: GPL-2.0-only
/*
 * wavecrypt_rig: a helper outside of a User-Mode Linux guest
 *
 * Says in which frames of the guest's memory pages lie, rings the bell for who
 * cannot make system calls here, and has each CPU of the guest stay on one of the
 * host's.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <linux/bitops.h>
#include <linux/cpumask.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/sched/signal.h>
#include <linux/smp.h>
#include <linux/uaccess.h>

#include "rig.h"

/* x86-64's number of sched_setaffinity, and the most CPUs that a host has */
#define HOST_SETAFFINITY	203
#define HOST_CPUS		1024

static int pin[NR_CPUS];
static int pins;
module_param_array(pin, int, &pins, 0);
MODULE_PARM_DESC(pin, "the host's CPU for each of the guest's");

#ifdef CONFIG_UML
/* The guest's CPUs are threads of a process, which may ask the host. */
static void pin_here(void *unused)
{
	DECLARE_BITMAP(cpus, HOST_CPUS) = { };
	int cpu = smp_processor_id();
	long ret;

	if (cpu >= pins || pin[cpu] < 0 || pin[cpu] >= HOST_CPUS)
		return;
	__set_bit(pin[cpu], cpus);
	asm volatile("syscall" : "=a" (ret)
		     : "0" (HOST_SETAFFINITY), "D" (0L), "S" (sizeof(cpus)), "d" (cpus)
		     : "rcx", "r11", "memory");
	if (ret < 0)
		pr_err("CPU %d cannot be pinned to %d: %ld\n", cpu, pin[cpu], ret);
}
#else
static void pin_here(void *unused)
{
}
#endif

static long frame_of(u64 address, u64 *frame)
{
	struct page *page;
	int nr = get_user_pages_fast(address, 1, 0, &page);

	if (nr != 1)
		return nr < 0 ? nr : -EFAULT;
	*frame = page_to_pfn(page);
	put_page(page);
	return 0;
}

static long frames(void __user *arg)
{
	struct rig_frames a;
	u64 i, frame;
	long err;

	if (copy_from_user(&a, arg, sizeof(a)))
		return -EFAULT;
	for (i = 0; i < a.nr; i++) {
		err = frame_of(a.address + i * PAGE_SIZE, &frame);
		if (err)
			return err;
		if (put_user(frame, (u64 __user *)(uintptr_t)a.frames + i))
			return -EFAULT;
		cond_resched();
	}
	return 0;
}

/* Ring whatever there is to ring. Return: whether there was anything. */
static bool ring_once(struct rig_ringer *ringer, struct file *channel, unsigned int bell)
{
	bool any = false;
	unsigned int i;
	u64 word;

	for (i = 0; i < RIG_WORDS; i++) {
		if (!READ_ONCE(ringer->queues[i]))
			continue;
		any = true;
		for (word = xchg(&ringer->queues[i], 0); word; word &= word - 1)
			channel->f_op->unlocked_ioctl(channel, bell, 64 * i + __ffs64(word));
	}
	return any;
}

static void ring_on(struct rig_bells *bells, const struct rig_ring *a, struct file *channel)
{
	unsigned int turn = 0;

	while (!READ_ONCE(bells->exit) && !signal_pending(current)) {
		if (!ring_once(&bells->ringer[a->ringer], channel, a->bell))
			cpu_relax();
		if (++turn % 256 == 0)
			cond_resched();
	}
}

static long ring(void __user *arg)
{
	struct file *channel;
	struct rig_ring a;
	struct page *page;
	int nr;

	if (copy_from_user(&a, arg, sizeof(a)))
		return -EFAULT;
	if (a.ringer >= RIG_RINGERS)
		return -EINVAL;
	channel = fget(a.fd);
	if (!channel)
		return -EBADF;
	nr = get_user_pages_fast(a.bells, 1, FOLL_WRITE, &page);
	if (nr == 1) {
		ring_on(page_address(page), &a, channel);
		put_page(page);
	}
	fput(channel);
	return nr == 1 ? 0 : -EFAULT;
}

static long rig_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	switch (cmd) {
	case RIG_IOC_FRAMES:
		return frames((void __user *)arg);
	case RIG_IOC_RING:
		return ring((void __user *)arg);
	default:
		return -ENOTTY;
	}
}

static const struct file_operations rig_fops = {
	.owner		= THIS_MODULE,
	.unlocked_ioctl	= rig_ioctl,
};

static struct miscdevice rig_device = {
	.minor	= MISC_DYNAMIC_MINOR,
	.name	= "wavecrypt_rig",
	.fops	= &rig_fops,
};

static int __init rig_init(void)
{
	BUILD_BUG_ON(sizeof(struct rig_bells) > PAGE_SIZE);
	on_each_cpu(pin_here, NULL, 1);
	return misc_register(&rig_device);
}

static void __exit rig_exit(void)
{
	misc_deregister(&rig_device);
}

module_init(rig_init);
module_exit(rig_exit);

MODULE_LICENSE("GPL");
MODULE_AUTHOR("The wavecrypt authors");
MODULE_DESCRIPTION("A helper outside of a User-Mode Linux guest");
