/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a device beside the lanes is to the daemon now.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_BACKENDS_STATUS_H
#define WAVECRYPT_BACKENDS_STATUS_H

#include <stdint.h>

/** DEVICE_WHERE - room for a bus address, "0000:3b:00.0" */
#define DEVICE_WHERE	16

/** DEVICE_WHY - room for why there is none */
#define DEVICE_WHY	256

/**
 * enum device_state - is it of use?
 * @DEVICE_REFUSED: it cannot be used, or there is none
 * @DEVICE_CHANGING: it is being opened, or given up, just now
 * @DEVICE_READY: nobody uses it yet
 * @DEVICE_IN_USE: workers have instances
 * @DEVICE_LOST: it failed
 */
enum device_state {
	DEVICE_REFUSED,
	DEVICE_CHANGING,
	DEVICE_READY,
	DEVICE_IN_USE,
	DEVICE_LOST,
};

/**
 * struct device_status - a device now
 * @state: is it of use?
 * @users: how many workers have an instance
 * @where: its bus address, or ""
 * @why: what is wrong with it, or ""
 */
struct device_status {
	enum device_state state;
	unsigned int users;
	char where[DEVICE_WHERE];
	char why[DEVICE_WHY];
};

#endif
