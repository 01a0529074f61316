// SPDX-License-Identifier: GPL-2.0-only
/*
 * The real transport: /dev/wavecrypt.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "channel/alg.h"
#include "channel/channel.h"
#include "lib/log.h"

/**
 * struct device - channel to the module
 * @ch: what the daemon sees
 * @fd: the device; closing it detaches
 */
struct device {
	struct channel ch;
	int fd;
};

static struct device *to_device(struct channel *ch)
{
	return (struct device *)ch;
}

static int device_bell(struct channel *ch, uint32_t queue)
{
	return ioctl(to_device(ch)->fd, WAVECRYPT_IOC_BELL,
		     (unsigned long)queue) ? -errno : 0;
}

static int device_wait(struct channel *ch, const struct wavecrypt_wait *wait)
{
	return ioctl(to_device(ch)->fd, WAVECRYPT_IOC_WAIT, wait) ? -errno : 0;
}

static void device_close(struct channel *ch)
{
	struct device *dev = to_device(ch);

	/* Fails harmlessly where the module has detached us already. */
	ioctl(dev->fd, WAVECRYPT_IOC_DETACH);
	for (int i = 0; i < WAVECRYPT_REGIONS; i++)
		if (ch->map[i])
			munmap(ch->map[i], ch->geo.region[i].size);
	close(dev->fd);
	free(dev);
}

static const struct channel_ops device_ops = {
	.bell = device_bell,
	.wait = device_wait,
	.close = device_close,
};

static void explain_open(const char *path, int err)
{
	switch (err) {
	case ENOENT:
	case ENXIO:
	case ENODEV:
		log_err("%s: %s: the module is not loaded (modprobe wavecrypt, or insmod wavecrypt.ko)",
			path, strerror(err));
		break;
	case EACCES:
	case EPERM:
		log_err("%s: %s: only root may serve the module", path,
			strerror(err));
		break;
	default:
		log_err("%s: %s", path, strerror(err));
	}
}

static void explain_attach(const char *path, int err, uint32_t abi)
{
	switch (err) {
	case ENOTCONN:
		log_err("%s: the module speaks an older ABI version, this daemon %u: they are from different releases, upgrade both",
			path, WAVECRYPT_ABI_VERSION);
		break;
	case EPROTO:
		log_err("%s: the module speaks ABI version %u, this daemon %u: they are from different releases, upgrade both",
			path, abi, WAVECRYPT_ABI_VERSION);
		break;
	case EBUSY:
		log_err("%s: another helper is attached (stop it, or take over with --replace)",
			path);
		break;
	case ENOTTY:
		log_err("%s: not a wavecrypt device", path);
		break;
	default:
		log_err("%s: cannot attach: %s", path, strerror(err));
	}
}

static int device_map(struct device *dev, const char *path)
{
	struct channel *ch = &dev->ch;

	for (int i = 0; i < WAVECRYPT_REGIONS; i++) {
		bool ours = i == WAVECRYPT_REGION_COMPLETE ||
			    i == WAVECRYPT_REGION_SLOTS;
		/* Populated, so that no packet pays for a page fault. */
		void *p = mmap(NULL, ch->geo.region[i].size,
			       PROT_READ | (ours ? PROT_WRITE : 0),
			       MAP_SHARED | MAP_POPULATE, dev->fd,
			       ch->geo.region[i].offset);

		if (p == MAP_FAILED) {
			int err = errno;

			log_err("%s: cannot map region %d: %s", path, i,
				strerror(err));
			return -err;
		}
		ch->map[i] = p;
	}
	return 0;
}

int device_open(const char *path)
{
	int fd = open(path, O_RDWR | O_CLOEXEC), err = errno;

	if (fd >= 0)
		return fd;
	explain_open(path, err);
	return -err;
}

int device_attach(int fd, const char *path, uint32_t entries, bool replace,
		  struct channel **out)
{
	struct device *dev = calloc(1, sizeof(*dev));
	uint64_t algs_set[WAVECRYPT_ALG_WORDS];
	const char *wrong;
	int err;

	if (!dev) {
		close(fd);
		return -ENOMEM;
	}
	dev->ch.ops = &device_ops;
	dev->ch.name = path;
	dev->fd = fd;
	dev->ch.geo.abi = WAVECRYPT_ABI_VERSION;
	dev->ch.geo.entries = entries;
	dev->ch.geo.flags = replace ? WAVECRYPT_ATTACH_REPLACE : 0;
	alg_set(algs_set);
	for (int i = 0; i < WAVECRYPT_ALG_WORDS; i++)
		dev->ch.geo.algs[i] = algs_set[i];
	if (ioctl(dev->fd, WAVECRYPT_IOC_ATTACH, &dev->ch.geo)) {
		err = -errno;
		explain_attach(path, -err, dev->ch.geo.abi);
		/* How a module whose structure was shorter takes the call */
		if (err == -ENOTCONN)
			err = -EPROTO;
		close(dev->fd);
		free(dev);
		return err;
	}
	wrong = channel_check(&dev->ch.geo);
	if (wrong) {
		log_err("%s: bad geometry: %s", path, wrong);
		err = -EPROTO;
	} else {
		err = device_map(dev, path);
	}
	if (!err && channel_header(&dev->ch)->magic != WAVECRYPT_MAGIC) {
		log_err("%s: the channel's header has no magic", path);
		err = -EPROTO;
	}
	if (err) {
		device_close(&dev->ch);
		return err;
	}
	channel_protect(&dev->ch);
	*out = &dev->ch;
	return 0;
}
