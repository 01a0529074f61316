/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SAs by the name of their CHILD_SA, where strongSwan's charon made them.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_CTL_CHILDREN_H
#define WAVECRYPT_CTL_CHILDREN_H

#include "ctl/ctl.h"

/**
 * struct children - names so far; SAs keep theirs, so that who looks again and
 * again need not ask again and again
 * @path: charon's socket
 * @names: by sas_key(); NULL: none yet
 * @error: why there are no newer ones, or NULL
 */
struct children {
	const char *path;
	json_t *names;
	const char *error;
};

/**
 * children_name - add the name: "child"
 * @children: names; asked for anew if there is an SA that has none
 * @sas: SAs
 */
void children_name(struct children *children, json_t *sas);

/**
 * children_say - add why names are missing: "children_error"
 * @c: names, and which are wanted
 * @sas: what sas_collect() said
 * @to: where to
 *
 * That there is no charon is no news, unless an SA was asked for that may have a
 * name, and not found.
 */
void children_say(const struct ctl *c, const json_t *sas, json_t *to);

#endif
