// SPDX-License-Identifier: GPL-2.0-only
/*
 * SAs, and what became of packets.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ctl/doctor.h"
#include "ctl/sas.h"
#include "lib/array.h"
#include "report/json.h"

/* Sum of a counter over the module's directories */
static long long total(const json_t *module, const char *name)
{
	long long sum = 0;
	const char *dir;
	json_t *counters;

	json_object_foreach((json_t *)module, dir, counters)
		if (json_is_object(counters))
			sum += number(counters, name);
	return sum;
}

/**
 * struct symptom - a counter that had better be 0
 * @counter: its name
 * @grade: how it is if not
 * @meaning: what it counts
 * @advice: what to do
 */
struct symptom {
	const char *counter;
	enum doctor_grade grade;
	const char *meaning;
	const char *advice;
};

static const struct symptom symptoms[] = {
	{ "stalls", DOCTOR_WARNING, "times the daemon was too slow to answer",
	  "give it processors of its own (worker-cpus), or more of them (workers)" },
	{ "full", DOCTOR_NOTE,
	  "requests found no free slot, or no place for their key, and were done by the kernel",
	  "with more SAs than the module's parameter keys: raise that; else, if it grows fast: more entries, or more workers"
	},
	{ "redone", DOCTOR_NOTE,
	  "requests were given to the daemon and had to be done by the kernel",
	  "it grows when the daemon is restarted or stalls" },
	{ "icv_failures", DOCTOR_NOTE, "packets were not authentic",
	  "few are noise; many: the two ends have different keys, or somebody forges" },
};

static void check_counters(struct doctor *d)
{
	for (size_t i = 0; i < ARRAY_SIZE(symptoms); i++) {
		const struct symptom *s = &symptoms[i];
		long long n = total(d->module, s->counter);

		if (n)
			doctor_say(d, "counters", s->grade, s->advice,
				   "%lld %s", n, s->meaning);
	}
}

static void check_sas(struct doctor *d)
{
	size_t i, theirs = 0, nr;
	const char *why = NULL;
	json_t *sas = sas_collect(d->ctl, d->aeads, &why);
	const json_t *sa;

	if (!sas) {
		doctor_say(d, "SAs", DOCTOR_NOTE, NULL, "%s", why);
		return;
	}
	nr = json_array_size(sas);
	json_array_foreach(sas, i, sa)
		theirs += !json_is_true(json_object_get(sa, "accelerated")) &&
			  number(sa, "packets");
	if (!nr)
		doctor_say(d, "SAs", DOCTOR_NOTE,
			   "start the IKE daemon, or look into its network namespace (ip netns exec)",
			   "there are none in this network namespace");
	else if (theirs)
		doctor_say(d, "SAs", DOCTOR_WARNING,
			   "\"wavecryptctl status\" says why of each; most move over when they are rekeyed (swanctl --rekey)",
			   "%zu of %zu are not served by wavecrypt", theirs,
			   nr);
	else
		doctor_say(d, "SAs", DOCTOR_GOOD, NULL, "%zu", nr);
	doctor_gain(d, sas);
	json_decref(sas);
}

/* The kernel's own counters of packets that IPsec had to drop */
static void check_xfrm(struct doctor *d)
{
	char path[4096], *line = NULL, name[64];
	size_t size = 0;
	long long n;
	FILE *f;

	snprintf(path, sizeof(path), "%s/proc/net/xfrm_stat", d->ctl->root);
	f = fopen(path, "re");
	while (f && getline(&line, &size, f) >= 0)
		if (sscanf(line, "%63s %lld", name, &n) == 2 && n)
			doctor_say(d, "IPsec", DOCTOR_NOTE,
				   "Documentation/networking/xfrm_proc.rst of the kernel says what it means",
				   "%s: %lld", name, n);
	if (f)
		fclose(f);
	free(line);
}

void doctor_traffic(struct doctor *d)
{
	check_counters(d);
	check_sas(d);
	check_xfrm(d);
}
