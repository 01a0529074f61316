/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which devices a setting names.
 *
 * Names, with commas between them: a number, as wavecryptctl devices has it; a place
 * on the PCI bus, with or without its domain; a UUID; a kind; an instruction set; part
 * of what a device is called; or "auto". What looks like a number or a place is one,
 * and never part of a name.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_BACKENDS_GPU_CHOICE_H
#define WAVECRYPT_BACKENDS_GPU_CHOICE_H

#include <stdbool.h>
#include <stddef.h>

/** GPU_FOUND_MAX - most devices of a runtime that are looked at */
#define GPU_FOUND_MAX	32

/** GPU_AUTO - the setting that takes whatever there is */
#define GPU_AUTO	"auto"

/**
 * struct gpu_found - a device that a runtime has
 * @address: where it is on the PCI bus, such as "0000:04:00.0", or ""
 * @uuid: its UUID, or ""
 * @kind: such as "gpu" or "integrated"
 * @isa: its instruction set, or ""
 * @name: what it is called
 * @rating: how much "auto" likes it; 0: not at all
 * @refused: why it cannot be used, or ""
 */
struct gpu_found {
	char address[16];
	char uuid[48];
	char kind[16];
	char isa[64];
	char name[128];
	unsigned int rating;
	char refused[192];
};

/**
 * struct gpu_list - all of them
 * @nr: how many
 * @device: each, by its number
 */
struct gpu_list {
	unsigned int nr;
	struct gpu_found device[GPU_FOUND_MAX];
};

/**
 * struct gpu_chosen - those that are to be used
 * @nr: how many
 * @number: their numbers, in the order in which they are named, each once
 */
struct gpu_chosen {
	unsigned int nr;
	unsigned int number[GPU_FOUND_MAX];
};

/** GPU_WHY - room for what is wrong with a setting */
#define GPU_WHY		1024

/**
 * gpu_choose - which devices does a setting name?
 * @list: those that there are
 * @wanted: the setting
 * @chosen: result; may be none of "auto"
 * @why: %GPU_WHY bytes: why there is none, with those that there are
 *
 * Return: false if any of its names is no usable device's, of which @why has the first;
 * @chosen are the others.
 */
bool gpu_choose(const struct gpu_list *list, const char *wanted,
		struct gpu_chosen *chosen, char *why);

/** GPU_ITEM - room for one name of a setting */
#define GPU_ITEM	256

/**
 * gpu_next - one name of a setting
 * @wanted: where it begins
 * @name: %GPU_ITEM bytes for it; may be ""
 *
 * Return: where the next one begins, or NULL.
 */
const char *gpu_next(const char *wanted, char name[GPU_ITEM]);

/** gpu_name_lasts - is it one that no other device has when some come or go? */
bool gpu_name_lasts(const char *name);

/** GPU_NAME - room for gpu_name() */
#define GPU_NAME	48

/**
 * gpu_name - what settings may call a device, and no other
 * @list: the devices
 * @number: which
 * @name: %GPU_NAME bytes for it: its place, or else its UUID, which stay the same when
 *	others come or go, or else its number
 */
void gpu_name(const struct gpu_list *list, unsigned int number, char *name);

/** gpu_put_address - for &gpu_found.address */
void gpu_put_address(struct gpu_found *f, unsigned int domain, unsigned int bus,
		     unsigned int device, unsigned int function);

#endif
