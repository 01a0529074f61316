// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include "backends/gpu/arena.h"

struct gpu_arena *gpu_arena_find(struct gpu_arena *list,
				 const struct channel *ch)
{
	for (; list; list = list->next)
		if (list->serial == ch->serial) {
			list->users++;
			return list;
		}
	return NULL;
}

void gpu_arena_add(struct gpu_arena **list, struct gpu_arena *arena,
		   const struct channel *ch)
{
	arena->serial = ch->serial;
	arena->users = 1;
	arena->next = *list;
	*list = arena;
}

bool gpu_arena_drop(struct gpu_arena **list, struct gpu_arena *arena)
{
	if (--arena->users)
		return false;
	while (*list != arena)
		list = &(*list)->next;
	*list = arena->next;
	return true;
}
