// SPDX-License-Identifier: GPL-2.0-only
/*
 * /dev/wavecrypt: where a helper attaches, maps, rings, sleeps and detaches.
 * What each call means is said in uapi/wavecrypt.h.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */

#include <linux/capability.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/security.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "channel.h"
#include "compat.h"
#include "device.h"

/* Stand in a file's private_data while it attaches, and when it has been attached. */
#define WC_ATTACHING	ERR_PTR(-EBUSY)
#define WC_DETACHED	ERR_PTR(-ENOTCONN)

/* The file's channel, or NULL. Whoever detaches waits for readers. */
static struct wc_channel *wc_device_channel(struct file *file)
{
	/* Pairs with the release in wc_device_attach(). */
	struct wc_channel *ch = smp_load_acquire(&file->private_data);

	return IS_ERR(ch) ? NULL : ch;
}

/* The file's channel with a reference, for those who sleep, or NULL. */
static struct wc_channel *wc_device_get(struct file *file)
{
	struct wc_channel *ch;

	rcu_read_lock();
	ch = wc_device_channel(file);
	if (ch)
		kref_get(&ch->ref);
	rcu_read_unlock();
	return ch;
}

static int wc_device_open(struct inode *inode, struct file *file)
{
	if (!capable(CAP_NET_ADMIN))
		return -EPERM;
	/* The rest of loading may fail, which takes no heed of open files. No
	 * call of this is under way once the device is unregistered.
	 */
	switch (READ_ONCE(THIS_MODULE->state)) {
	case MODULE_STATE_LIVE:
		break;
	case MODULE_STATE_GOING:
		return -ENODEV;
	default:
		return -EAGAIN;
	}
	/* misc_open() leaves the miscdevice here. */
	file->private_data = NULL;
	return 0;
}

static int wc_device_release(struct inode *inode, struct file *file)
{
	struct wc_channel *ch = file->private_data;

	if (!IS_ERR_OR_NULL(ch)) {
		wc_channel_close(ch);
		wc_channel_put(ch);
	}
	return 0;
}

/* A helper of another release. Its structure begins as ours does. */
static int wc_device_refuse(u32 __user *abi, u32 theirs)
{
	pr_info_ratelimited("%s[%d] speaks version %u of the interface, this module %u; install the two from one release\n",
			    current->comm, task_tgid_nr(current), theirs,
			    WAVECRYPT_ABI_VERSION);
	return put_user(WAVECRYPT_ABI_VERSION, abi) ?: -EPROTO;
}

/* A helper is shown every SA's key, as XFRM shows them to root, or then does not. One that
 * was shown them before, with the same file, may be again: it need not have detached.
 */
static int wc_device_may_see(const void *before)
{
	return before == WC_DETACHED ? 0 : security_locked_down(LOCKDOWN_XFRM_SECRET);
}

static int wc_device_attach(struct file *file, unsigned int cmd,
			    void __user *arg)
{
	void *before = READ_ONCE(file->private_data);
	struct wavecrypt_attach attach;
	struct wc_channel *ch;
	int err;
	u32 abi;

	if (get_user(abi, (u32 __user *)arg))
		return -EFAULT;
	if (abi != WAVECRYPT_ABI_VERSION)
		return wc_device_refuse(arg, abi);
	if (cmd != WAVECRYPT_IOC_ATTACH)
		return -ENOTTY;
	if (copy_from_user(&attach, arg, sizeof(attach)))
		return -EFAULT;
	if (attach.flags & ~WAVECRYPT_ATTACH_REPLACE ||
	    memchr_inv(attach.reserved, 0, sizeof(attach.reserved)))
		return -EINVAL;
	err = wc_device_may_see(before);
	if (err)
		return err;
	/* Whom nothing can be told takes nobody's place. */
	if (copy_to_user(arg, &attach, sizeof(attach)))
		return -EFAULT;

	wc_alg_offered(attach.algs);
	/* Threads of the same helper, and files that are attached still, are told
	 * before anything is allocated.
	 */
	if ((before && before != WC_DETACHED) ||
	    cmpxchg(&file->private_data, before, WC_ATTACHING) != before)
		return -EBUSY;
	ch = wc_channel_attach(attach.entries, attach.algs,
			       attach.flags & WAVECRYPT_ATTACH_REPLACE);
	if (IS_ERR(ch)) {
		WRITE_ONCE(file->private_data, before);
		return PTR_ERR(ch);
	}
	attach.features = 0;
	attach.entries = ch->queue[0]->entries;
	attach.queues = ch->nr_queues;
	attach.keys = ch->nr_keys;
	attach.removed = ch->nr_removed;
	attach.removed_first = wc_channel_removed_first(ch);
	attach.sq_first = PAGE_SIZE;
	attach.sq_stride = ch->layout.sq_size;
	attach.desc_first = ch->layout.desc_first;
	attach.cq_stride = ch->layout.cq_size;
	attach.slot_stride = ch->layout.slots_size;
	memcpy(attach.region, ch->region, sizeof(attach.region));
	err = copy_to_user(arg, &attach, sizeof(attach)) ? -EFAULT : 0;
	if (err) {
		wc_channel_close(ch);
		wc_channel_put(ch);
	}
	/* A channel is whole before another thread of the helper finds it. */
	smp_store_release(&file->private_data, err ? before : ch);
	return err;
}

/* The file is as one that was just opened, but that it has been attached: see
 * wc_device_may_see(). What is mapped stays so.
 */
static int wc_device_detach(struct file *file)
{
	struct wc_channel *ch = READ_ONCE(file->private_data);

	if (IS_ERR_OR_NULL(ch) ||
	    cmpxchg(&file->private_data, ch, WC_DETACHED) != ch)
		return -ENOTCONN;
	/* Also waits for those who found it: wc_device_channel(). */
	wc_channel_close(ch);
	wc_channel_put(ch);
	return 0;
}

/* Whether there is anything to take. If not, a CPU is left alone that nobody may want
 * to be interrupted.
 */
static bool wc_device_answered(const struct wc_queue *q)
{
	return READ_ONCE(q->cq->tail) != READ_ONCE(q->sq->reaped);
}

static int wc_device_bell(struct file *file, unsigned long queue)
{
	struct wc_channel *ch;
	struct wc_queue *q;
	int err = 0;

	/* Without a reference, which many workers would share. */
	rcu_read_lock();
	ch = wc_device_channel(file);
	if (!ch)
		err = -ENOTCONN;
	else if (queue >= ch->nr_queues)
		err = -EINVAL;
	else if (!wc_channel_live(ch))
		err = -ESHUTDOWN;
	if (!err) {
		q = wc_channel_queue(ch, queue);
		if (wc_device_answered(q))
			wc_kick(&q->kick, q->cpu);
	}
	rcu_read_unlock();
	return err;
}

static bool wc_device_news(const struct wc_channel *ch,
			   const struct wavecrypt_wait *wait,
			   const struct wavecrypt_seen *seen)
{
	u32 i;

	if (!wc_channel_live(ch) ||
	    READ_ONCE(ch->header->key_epoch) != wait->key_epoch)
		return true;
	for (i = 0; i < wait->nr; i++)
		if (READ_ONCE(wc_channel_queue(ch, seen[i].queue)->tail) != seen[i].tail)
			return true;
	return false;
}

/* Whoever wakes us clears a sleeper, and no later submission sees that one. It may
 * have done so before we slept, and for a submission that the caller had seen.
 */
static bool wc_device_woken(const struct wc_channel *ch,
			    const struct wavecrypt_wait *wait,
			    const struct wavecrypt_seen *seen)
{
	u32 i;

	for (i = 0; i < wait->nr; i++)
		if (READ_ONCE(wc_channel_queue(ch, seen[i].queue)->sleeper) != current)
			return true;
	return false;
}

/* The caller says that it sleeps, then looks whether that came too late. */
static int wc_device_sleep(struct wc_channel *ch,
			   const struct wavecrypt_wait *wait,
			   const struct wavecrypt_seen *seen)
{
	ktime_t timeout = ns_to_ktime(min_t(u64, wait->timeout_ns, KTIME_MAX));
	u32 i, nr;
	int err = 0;

	for (nr = 0; nr < wait->nr; nr++) {
		struct wc_queue *q = wc_channel_queue(ch, seen[nr].queue);

		if (cmpxchg(&q->sleeper, NULL, current)) {
			err = -EBUSY;
			goto out;
		}
	}
	for (i = 0; i < nr; i++)
		wc_queue_arm(wc_channel_queue(ch, seen[i].queue));

	/* Any wake-up but a time-out may be news. */
	set_current_state(TASK_INTERRUPTIBLE);
	if (!wc_device_woken(ch, wait, seen) &&
	    !wc_device_news(ch, wait, seen)) {
		if (signal_pending(current))
			err = -EINTR;
		else if (!schedule_hrtimeout(&timeout, HRTIMER_MODE_REL))
			err = -ETIME;
		else if (signal_pending(current))
			err = -EINTR;
	}
	__set_current_state(TASK_RUNNING);
out:
	while (nr--)
		cmpxchg(&wc_channel_queue(ch, seen[nr].queue)->sleeper, current, NULL);
	return err;
}

static int wc_device_wait(struct wc_channel *ch, void __user *arg)
{
	struct wavecrypt_wait wait;
	struct wavecrypt_seen *seen;
	int err;
	u32 i;

	if (copy_from_user(&wait, arg, sizeof(wait)))
		return -EFAULT;
	if (wait.nr > ch->nr_queues)
		return -EINVAL;
	seen = memdup_user(u64_to_user_ptr(wait.seen),
			   wait.nr * sizeof(*seen));
	if (IS_ERR(seen))
		return PTR_ERR(seen);
	err = -EINVAL;
	for (i = 0; i < wait.nr; i++)
		if (seen[i].queue >= ch->nr_queues)
			goto out;

	err = 0;
	if (!wc_device_news(ch, &wait, seen))
		err = wait.timeout_ns ? wc_device_sleep(ch, &wait, seen) :
					-ETIME;
	if (!wc_channel_live(ch))
		err = -ESHUTDOWN;
out:
	kfree(seen);
	return err;
}

static long wc_device_ioctl(struct file *file, unsigned int cmd,
			    unsigned long arg)
{
	struct wc_channel *ch;
	int err;

	if (_IOC_TYPE(cmd) != _IOC_TYPE(WAVECRYPT_IOC_ATTACH))
		return -ENOTTY;
	/* Of whatever size it was when the helper was built */
	if (_IOC_NR(cmd) == _IOC_NR(WAVECRYPT_IOC_ATTACH))
		return wc_device_attach(file, cmd, (void __user *)arg);

	switch (cmd) {
	case WAVECRYPT_IOC_DETACH:
		return wc_device_detach(file);
	case WAVECRYPT_IOC_BELL:
		return wc_device_bell(file, arg);
	case WAVECRYPT_IOC_WAIT:
		ch = wc_device_get(file);
		if (!ch)
			return -ENOTCONN;
		err = wc_device_wait(ch, (void __user *)arg);
		wc_channel_put(ch);
		return err;
	default:
		return -ENOTTY;
	}
}

/* A page with a reference, as any file's: what registers user memory with a
 * GPU refuses ranges that were mapped otherwise.
 */
static vm_fault_t wc_device_fault(struct vm_fault *vmf)
{
	struct wc_channel *ch = vmf->vma->vm_private_data;
	struct page *page = wc_channel_page(ch, (u64)vmf->pgoff << PAGE_SHIFT);

	if (!page)
		return VM_FAULT_SIGBUS;
	get_page(page);
	vmf->page = page;
	return 0;
}

/* A mapping is of the channel that its file had then, which has it to itself:
 * the next one's regions lie elsewhere, and not all may be written to.
 */
static void wc_device_vm_open(struct vm_area_struct *vma)
{
	struct wc_channel *ch = vma->vm_private_data;

	kref_get(&ch->ref);
}

static void wc_device_vm_close(struct vm_area_struct *vma)
{
	wc_channel_put(vma->vm_private_data);
}

static const struct vm_operations_struct wc_device_vm_ops = {
	.open = wc_device_vm_open,
	.close = wc_device_vm_close,
	.fault = wc_device_fault,
};

static int wc_device_map(struct wc_channel *ch, struct vm_area_struct *vma)
{
	unsigned long clear = VM_MAYEXEC;
	int region;

	if (!wc_channel_live(ch))
		return -ESHUTDOWN;
	if (!(vma->vm_flags & VM_SHARED))
		return -EINVAL;
	region = wc_channel_find(ch, (u64)vma->vm_pgoff << PAGE_SHIFT,
				 vma->vm_end - vma->vm_start);
	if (region < 0)
		return region;
	if (vma->vm_flags & VM_EXEC)
		return -EACCES;
	if (region == WAVECRYPT_REGION_SUBMIT ||
	    region == WAVECRYPT_REGION_KEYS) {
		if (vma->vm_flags & VM_WRITE)
			return -EACCES;
		clear |= VM_MAYWRITE;
	}
	/* Neither a child's nor a core dump's. */
	wc_vm_flags_mod(vma, VM_DONTCOPY | VM_DONTDUMP | VM_DONTEXPAND, clear);
	vma->vm_ops = &wc_device_vm_ops;
	vma->vm_private_data = ch;
	return 0;
}

static int wc_device_mmap(struct file *file, struct vm_area_struct *vma)
{
	struct wc_channel *ch = wc_device_get(file);
	int err;

	if (!ch)
		return -ENOTCONN;
	err = wc_device_map(ch, vma);
	/* The mapping keeps the reference. */
	if (err)
		wc_channel_put(ch);
	return err;
}

static const struct file_operations wc_device_fops = {
	.owner		= THIS_MODULE,
	.open		= wc_device_open,
	.release	= wc_device_release,
	.unlocked_ioctl	= wc_device_ioctl,
	.mmap		= wc_device_mmap,
};

static ssize_t abi_show(struct device *dev, struct device_attribute *attr,
			char *buf)
{
	return sysfs_emit(buf, "%u\n", WAVECRYPT_ABI_VERSION);
}
static DEVICE_ATTR_RO(abi);

static ssize_t state_show(struct device *dev, struct device_attribute *attr,
			  char *buf)
{
	static const char * const names[] = {
		[0] = "none",
		[WAVECRYPT_STATE_LIVE] = "live",
		[WAVECRYPT_STATE_STALLED] = "stalled",
		[WAVECRYPT_STATE_BROKEN] = "broken",
		[WAVECRYPT_STATE_DETACHED] = "detaching",
	};
	pid_t owner;

	return sysfs_emit(buf, "%s\n", names[wc_channel_active(&owner)]);
}
static DEVICE_ATTR_RO(state);

static ssize_t helper_pid_show(struct device *dev,
			       struct device_attribute *attr, char *buf)
{
	pid_t owner;

	wc_channel_active(&owner);
	return sysfs_emit(buf, "%d\n", owner);
}
static DEVICE_ATTR_RO(helper_pid);

static ssize_t outgrown_show(struct device *dev, struct device_attribute *attr,
			     char *buf)
{
	return sysfs_emit(buf, "%d\n", wc_channel_outgrown());
}
static DEVICE_ATTR_RO(outgrown);

static struct attribute *wc_device_attrs[] = {
	&dev_attr_abi.attr,
	&dev_attr_state.attr,
	&dev_attr_helper_pid.attr,
	&dev_attr_outgrown.attr,
	NULL
};
ATTRIBUTE_GROUPS(wc_device);

static struct miscdevice wc_misc = {
	.minor	= MISC_DYNAMIC_MINOR,
	.name	= "wavecrypt",
	.fops	= &wc_device_fops,
	.mode	= 0600,
	.groups	= wc_device_groups,
};

/** wc_device_register - let helpers come */
int wc_device_register(void)
{
	return misc_register(&wc_misc);
}

/** wc_device_unregister - no helper is attached: each holds the module */
void wc_device_unregister(void)
{
	misc_deregister(&wc_misc);
}

/** wc_device - below which the module shows its counters */
struct device *wc_device(void)
{
	return wc_misc.this_device;
}
