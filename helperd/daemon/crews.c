// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdlib.h>
#include <string.h>

#include "daemon/crews.h"

static struct crew *crew_of_group(const struct placement *p, uint32_t group)
{
	uint32_t queues = 0, workers = 0;
	struct crew *crew;
	uint32_t *ids;

	for (uint32_t i = 0; i < p->nr; i++) {
		if (p->place[i].group != group)
			continue;
		workers++;
		queues += p->place[i].nr_queues;
	}
	ids = calloc(queues, sizeof(*ids));
	if (!ids)
		return NULL;
	queues = 0;
	for (uint32_t i = 0; i < p->nr; i++) {
		const struct place *place = &p->place[i];

		if (place->group != group)
			continue;
		memcpy(ids + queues, place->queues,
		       place->nr_queues * sizeof(*ids));
		queues += place->nr_queues;
	}
	crew = crew_alloc(ids, queues, workers);
	free(ids);
	return crew;
}

struct crew **crews_make(const struct placement *p)
{
	struct crew **crews = calloc(p->nr_groups, sizeof(*crews));

	for (uint32_t g = 0; crews && g < p->nr_groups; g++) {
		crews[g] = crew_of_group(p, g);
		if (!crews[g]) {
			crews_free(crews, p);
			return NULL;
		}
	}
	return crews;
}

void crews_free(struct crew **crews, const struct placement *p)
{
	for (uint32_t g = 0; crews && g < p->nr_groups; g++)
		crew_free(crews[g]);
	free(crews);
}
