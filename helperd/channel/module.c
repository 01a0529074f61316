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
 * struct module - channel to the module
 * @ch: what the daemon sees
 * @fd: the module's file, the caller's
 */
struct module {
	struct channel ch;
	int fd;
};

static struct module *to_module(struct channel *ch)
{
	return (struct module *)ch;
}

static int module_bell(struct channel *ch, uint32_t queue)
{
	return ioctl(to_module(ch)->fd, WAVECRYPT_IOC_BELL,
		     (unsigned long)queue) ? -errno : 0;
}

static int module_wait(struct channel *ch, const struct wavecrypt_wait *wait)
{
	return ioctl(to_module(ch)->fd, WAVECRYPT_IOC_WAIT, wait) ? -errno : 0;
}

static void module_detach(struct channel *ch)
{
	/* Fails harmlessly where the module has detached us already. */
	ioctl(to_module(ch)->fd, WAVECRYPT_IOC_DETACH);
}

static void module_close(struct channel *ch)
{
	module_detach(ch);
	channel_release(ch);
}

static void module_free(struct channel *ch)
{
	for (int i = 0; i < WAVECRYPT_REGIONS; i++)
		if (ch->map[i] && !channel_kept(ch))
			munmap(ch->map[i], ch->geo.region[i].size);
	free(to_module(ch));
}

static const struct channel_ops module_ops = {
	.bell = module_bell,
	.wait = module_wait,
	.detach = module_detach,
	.close = module_close,
	.free = module_free,
};

static void explain_open(const char *path, int err)
{
	switch (err) {
	case ENOENT:
	case ENXIO:
	case ENODEV:
		log_err("%s: %s: the module is not loaded (modprobe wavecrypt)",
			path, strerror(err));
		break;
	case EACCES:
	case EPERM:
		log_err("%s: %s: only root may serve the module, with CAP_NET_ADMIN",
			path, strerror(err));
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
	case EPERM:
		log_err("%s: the kernel shows nobody the keys of SAs, and does all by itself: it is locked down for confidentiality (/sys/kernel/security/lockdown; lockdown=integrity would do)",
			path);
		break;
	case EBUSY:
		log_err("%s: another helper is attached (stop it, or take over with --replace)",
			path);
		break;
	case EINVAL:
		log_err("%s: there is no room for so many entries for each CPU (the setting \"entries\", or the module's parameter): the kernel log says how many fit",
			path);
		break;
	case ENOTTY:
		log_err("%s: not a wavecrypt device", path);
		break;
	default:
		log_err("%s: cannot attach: %s", path, strerror(err));
	}
}

/*
 * Populated, so that no packet pays for a page fault; but not the key table, of which
 * the module has as much as is used. Where memory is locked, what is mapped to be read
 * is populated, a device's even if only what is touched was to be locked. So it is not
 * to be read at first.
 */
static void *map_region(const struct channel *ch, int fd,
			enum wavecrypt_region_id id)
{
	bool ours = id == WAVECRYPT_REGION_COMPLETE ||
		    id == WAVECRYPT_REGION_SLOTS;
	size_t size = ch->geo.region[id].size;
	off_t offset = ch->geo.region[id].offset;
	void *p;

	if (id != WAVECRYPT_REGION_KEYS)
		return mmap(NULL, size, PROT_READ | (ours ? PROT_WRITE : 0),
			    MAP_SHARED | MAP_POPULATE, fd, offset);
	p = mmap(NULL, size, PROT_NONE, MAP_SHARED, fd, offset);
	if (p != MAP_FAILED && mprotect(p, size, PROT_READ)) {
		munmap(p, size);
		return MAP_FAILED;
	}
	return p;
}

static int module_map(struct module *m, const char *path)
{
	struct channel *ch = &m->ch;

	for (int i = 0; i < WAVECRYPT_REGIONS; i++) {
		void *p = map_region(ch, m->fd, i);

		if (p == MAP_FAILED) {
			int err = -errno;

			if (!channel_lacks(err))
				log_err("%s: cannot map region %d: %s", path, i,
					strerror(-err));
			return err;
		}
		ch->map[i] = p;
	}
	return 0;
}

int module_open(const char *path)
{
	int fd = open(path, O_RDWR | O_CLOEXEC), err = errno;

	if (fd >= 0)
		return fd;
	if (err != EAGAIN)
		explain_open(path, err);
	return -err;
}

int module_attach(int fd, const char *path, uint32_t entries, bool replace,
		  struct channel **out)
{
	struct module *m = calloc(1, sizeof(*m));
	uint64_t algs_set[WAVECRYPT_ALG_WORDS];
	const char *wrong;
	int err;

	if (!m)
		return -ENOMEM;
	channel_init(&m->ch, &module_ops, path);
	m->fd = fd;
	m->ch.geo.abi = WAVECRYPT_ABI_VERSION;
	m->ch.geo.entries = entries;
	m->ch.geo.flags = replace ? WAVECRYPT_ATTACH_REPLACE : 0;
	alg_set(algs_set);
	for (int i = 0; i < WAVECRYPT_ALG_WORDS; i++)
		m->ch.geo.algs[i] = algs_set[i];
	if (ioctl(m->fd, WAVECRYPT_IOC_ATTACH, &m->ch.geo)) {
		err = -errno;
		if (!channel_lacks(err))
			explain_attach(path, -err, m->ch.geo.abi);
		/* How a module whose structure was shorter takes the call */
		if (err == -ENOTCONN)
			err = -EPROTO;
		free(m);
		return err;
	}
	wrong = channel_check(&m->ch.geo);
	if (wrong) {
		log_err("%s: bad geometry: %s", path, wrong);
		err = -EPROTO;
	} else {
		err = module_map(m, path);
	}
	if (!err && channel_header(&m->ch)->magic != WAVECRYPT_MAGIC) {
		log_err("%s: the channel's header has no magic", path);
		err = -EPROTO;
	}
	if (err) {
		module_close(&m->ch);
		return err;
	}
	channel_protect(&m->ch);
	*out = &m->ch;
	return 0;
}
