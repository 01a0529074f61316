// SPDX-License-Identifier: GPL-2.0-only
/*
 * Bugs of this kernel that asynchronous crypto wakes.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "ctl/doctor.h"
#include "ctl/hazards.h"
#include "report/json.h"

#define CHECK	"kernel bug"

static bool fixed_somewhere(const json_t *hazard)
{
	return strcmp(text(hazard, "fixed"), "none");
}

/* Is one of those that keep this direction from being offloaded fixed in no kernel? */
static bool stays_guarded(const json_t *hazards, const json_t *hazard)
{
	const json_t *other;
	size_t i;

	json_array_foreach(hazards, i, other)
		if (hazard_is(other, "guarded") && !fixed_somewhere(other) &&
		    !strcmp(text(other, "guard"), text(hazard, "guard")))
			return true;
	return false;
}

/* With both directions kept back nothing is left to offload. */
static enum doctor_grade grade_guarded(const json_t *hazards)
{
	return hazards_hold(hazards, "encrypt") && hazards_hold(hazards, "decrypt") ?
	       DOCTOR_BAD : DOCTOR_WARNING;
}

static void say_guarded(struct doctor *d, const json_t *hazards,
			const json_t *hazard)
{
	const char *fixed = text(hazard, "fixed"), *way = text(hazard, "way");
	bool always = !strcmp(way, "always");
	char advice[256];

	if (always)
		snprintf(advice, sizeof(advice),
			 "a kernel that has it fixed (%s)", fixed);
	else if (!fixed_somewhere(hazard))
		snprintf(advice, sizeof(advice),
			 "no kernel has it fixed yet; see to it that not: %s",
			 way);
	else if (stays_guarded(hazards, hazard))
		snprintf(advice, sizeof(advice), "see to it that not: %s", way);
	else
		snprintf(advice, sizeof(advice),
			 "a kernel that has it fixed (%s), or see to it that not: %s",
			 fixed, way);
	doctor_say(d, CHECK, grade_guarded(hazards), advice,
		   "%s: %s. So %s is not offloaded%s%s",
		   hazard_name(hazard), text(hazard, "what"),
		   hazard_direction(hazard), always ? "" : " as long as: ",
		   always ? "" : way);
}

static void say_exposed(struct doctor *d, const json_t *hazard)
{
	doctor_say(d, CHECK, DOCTOR_BAD,
		   "echo auto >/sys/module/wavecrypt/parameters/hazards",
		   "%s, fixed in: %s: %s, and the module was told not to keep clear of it",
		   hazard_name(hazard), text(hazard, "fixed"),
		   text(hazard, "what"));
}

void doctor_hazards(struct doctor *d)
{
	json_t *hazards = hazards_collect(d->ctl);
	size_t i, absent = 0, quiet = 0;
	const json_t *hazard;

	json_array_foreach(hazards, i, hazard) {
		if (hazard_is(hazard, "exposed"))
			say_exposed(d, hazard);
		else if (hazard_is(hazard, "guarded") &&
			 hazard_direction(hazard))
			say_guarded(d, hazards, hazard);
		else if (hazard_is(hazard, "absent"))
			absent++;
		else
			quiet++;
	}
	if (absent + quiet)
		doctor_say(d, CHECK, DOCTOR_GOOD, NULL,
			   "of %zu that asynchronous crypto can wake, this kernel does not have %zu, and %zu cost nothing now",
			   json_array_size(hazards), absent, quiet);
	json_decref(hazards);
}
