// SPDX-License-Identifier: GPL-2.0-only
/*
 * When workers are to be placed anew for other processors. Which run is made up in a
 * directory.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/online.h"
#include "ktap.h"

static char sysfs[64];

static void run(const char *cpus)
{
	char path[128];
	FILE *f;

	snprintf(path, sizeof(path), "%s/devices/system/cpu/online", sysfs);
	f = fopen(path, "w");
	EXPECT(f, "%s", path);
	if (!f)
		return;
	fprintf(f, "%s\n", cpus);
	fclose(f);
}

static void come_and_go(void)
{
	struct online o;

	run("0-1");
	online_note(&o, sysfs);
	EXPECT(!online_changed(&o, sysfs), "nothing did");
	/* One after the other */
	run("0-2");
	EXPECT(!online_changed(&o, sysfs), "more may follow");
	run("0-3");
	EXPECT(!online_changed(&o, sysfs), "more may follow");
	EXPECT(online_changed(&o, sysfs), "these have come to stay");
	EXPECT(CPU_COUNT(&o.seen) == 4, "%d", CPU_COUNT(&o.seen));
	online_note(&o, sysfs);
	EXPECT(!online_changed(&o, sysfs), "workers are placed by them");
	run("0,2");
	EXPECT(!online_changed(&o, sysfs), "more may follow");
	EXPECT(online_changed(&o, sysfs), "these have gone");
}

static void for_a_moment(void)
{
	struct online o;

	run("0-3");
	online_note(&o, sysfs);
	run("0");
	EXPECT(!online_changed(&o, sysfs), "more may follow");
	run("0-3");
	EXPECT(!online_changed(&o, sysfs), "they are as they were");
	EXPECT(!online_changed(&o, sysfs), "they are as they were");
}

static void unknown(void)
{
	struct online o;

	online_note(&o, "/nowhere");
	EXPECT(CPU_COUNT(&o.placed) == CPU_SETSIZE, "%d", CPU_COUNT(&o.placed));
	EXPECT(!online_changed(&o, "/nowhere") && !online_changed(&o, "/nowhere"),
	       "nothing did");
}

static const struct ktap_case cases[] = {
	{ "processors come, and go", come_and_go },
	{ "some are gone for a moment", for_a_moment },
	{ "where nothing says which run, all do", unknown },
	{ 0 },
};

int main(void)
{
	char command[128];
	int status;

	strcpy(sysfs, "/tmp/wavecrypt-sysfs.XXXXXX");
	if (!mkdtemp(sysfs))
		return 1;
	snprintf(command, sizeof(command), "mkdir -p %s/devices/system/cpu", sysfs);
	if (system(command))
		return 1;
	status = ktap_run(cases);
	snprintf(command, sizeof(command), "rm -rf %s", sysfs);
	return system(command) ? 1 : status;
}
