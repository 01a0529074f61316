/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Makers of GPUs, and whether this machine has one of theirs.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_CTL_VENDOR_H
#define WAVECRYPT_CTL_VENDOR_H

#include <stdbool.h>
#include <stddef.h>

/**
 * struct vendor - one of them
 * @name: as "wavecryptctl gpu" has it
 * @pci: its number, as sysfs has it
 * @backend: which backend its GPUs are for
 */
struct vendor {
	const char *name;
	const char *pci;
	const char *backend;
};

/** enum vendor_index - all of them */
enum vendor_index {
	VENDOR_AMD,
	VENDOR_NVIDIA,
	VENDOR_INTEL,
	VENDORS,
};

/** vendors - by &enum vendor_index */
extern const struct vendor vendors[VENDORS];

/** VENDOR_PATH - room for the path of a drop-in, below any root */
#define VENDOR_PATH	4096

/** vendor_drop_in - where what it needs of the daemon's unit is; false: too long */
bool vendor_drop_in(const struct vendor *v, const char *root,
		    char path[VENDOR_PATH]);

/** vendor_here - is there a GPU of theirs, whoever drives it? */
bool vendor_here(const struct vendor *v, const char *root);

#endif
