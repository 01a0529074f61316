/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the bridge inside of a guest, the module it asks and the shim on the host
 * share; see selftests/bench/scale.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef _WAVECRYPT_RIG_H
#define _WAVECRYPT_RIG_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define RIG_DEVICE	"/dev/wavecrypt_rig"

/** RIG_RINGERS - most ringers */
#define RIG_RINGERS	16

/** RIG_WORDS - words of bits for queues */
#define RIG_WORDS	2

/**
 * struct rig_ringer - what one ringer is asked to ring, in a line of its own
 * @queues: a bit for each queue
 * @pad: to the end of the line
 */
struct rig_ringer {
	__u64 queues[RIG_WORDS];
	__u64 pad[8 - RIG_WORDS];
};

/**
 * struct rig_bells - a page of the guest's memory
 * @ringer: the ringers
 * @nr: how many there are
 * @exit: they are to end
 */
struct rig_bells {
	struct rig_ringer ringer[RIG_RINGERS];
	__u64 nr;
	__u64 exit;
};

/**
 * struct rig_frames - where are these pages?
 * @address: of the first
 * @nr: how many
 * @frames: where to put the numbers of their frames, 64 bits each
 */
struct rig_frames {
	__u64 address;
	__u64 nr;
	__u64 frames;
};

/**
 * struct rig_ring - ring until told to end
 * @bells: the page
 * @fd: the channel
 * @bell: the command that rings its bell
 * @ringer: which of them
 * @pad: nothing
 */
struct rig_ring {
	__u64 bells;
	__s32 fd;
	__u32 bell;
	__u32 ringer;
	__u32 pad;
};

#define RIG_IOC_FRAMES	_IOW('r', 1, struct rig_frames)
#define RIG_IOC_RING	_IOW('r', 2, struct rig_ring)

#endif
