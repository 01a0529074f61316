// SPDX-License-Identifier: GPL-2.0-only
/*
 * SAs, and what became of packets.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdbool.h>
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

/* Those that wavecrypt does not accelerate, and what may change that. Where it
 * accelerates none, each kind is what keeps it from that.
 */
static void say_otherwise(struct doctor *d, const struct sas_count *n)
{
	bool none = sas_none(n);
	const struct {
		size_t nr;
		enum doctor_grade grade;
		const char *are;
		const char *advice;
	} kinds[] = {
		{ n->barred, DOCTOR_WARNING,
		  "wavecrypt's, and cannot be offloaded: there was no place in its table, or they have no ICV",
		  "with more SAs than the module's parameter keys: options wavecrypt keys= in /etc/modprobe.d/wavecrypt.conf, and load it anew"
		},
		{ n->device, DOCTOR_NOTE, "served by a network interface",
		  "if wavecrypt is to: hw_offload = no in swanctl.conf"
		},
		{ n->older, DOCTOR_WARNING, "not served by wavecrypt",
		  "they move over when they are rekeyed (swanctl --rekey); \"wavecryptctl status\" says which they are"
		},
		{ n->foreign, DOCTOR_WARNING,
		  "of algorithms that wavecrypt does not do, or was not to (parameter algs)",
		  "another proposal: \"wavecryptctl bench\" says which there are, and what they gain"
		},
	};

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (kinds[i].nr)
			doctor_say(d, "SAs", none ? DOCTOR_BAD : kinds[i].grade, kinds[i].advice,
				   "%zu of %zu are %s", kinds[i].nr, n->all,
				   kinds[i].are);
}

static void check_sas(struct doctor *d)
{
	const char *why = NULL;
	json_t *sas = sas_collect(d->ctl, d->aeads, &why);
	struct sas_count n = sas_count(sas, d->aeads);

	if (!sas) {
		doctor_say(d, "SAs", DOCTOR_NOTE, NULL, "%s", why);
		return;
	}
	if (!n.all)
		doctor_say(d, "SAs", DOCTOR_NOTE,
			   "start the IKE daemon, or look into its network namespace (ip netns exec)",
			   "there are none in this network namespace");
	else if (n.otherwise)
		say_otherwise(d, &n);
	else
		doctor_say(d, "SAs", DOCTOR_GOOD, NULL, "%zu", n.all);
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
