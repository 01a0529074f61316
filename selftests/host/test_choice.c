// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which devices a setting names: numbers and places are not parts of names.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdio.h>
#include <string.h>

#include "backends/gpu/choice.h"
#include "ktap.h"
#include "lib/array.h"

#define UUID	"5fbae4c0-8a0c-4d3c-9bd4-0c6e1a8e20f0"

/* Two of a name, one without an address, one that is of no use */
static const struct gpu_list machine = {
	.nr = 6,
	.device = {
		{ .name = "NVIDIA H200", .kind = "gpu", .rating = 2,
		  .address = "0000:04:00.0", .uuid = UUID },
		{ .name = "NVIDIA H200", .kind = "gpu", .rating = 2,
		  .address = "0001:04:00.0" },
		{ .name = "pthread-Xeon, 3.2 GHz", .kind = "cpu" },
		{ .name = "AMD Radeon Graphics", .kind = "integrated", .rating = 1,
		  .isa = "gfx90c", .address = "0000:0a:1f.7",
		  .uuid = "GPU-0123456789abcdef" },
		{ .name = "NVIDIA T4", .kind = "gpu", .rating = 3,
		  .address = "0000:05:00.0", .refused = "it is not available" },
		{ .name = "Intel UHD Graphics", .kind = "gpu", .rating = 2,
		  .address = "0000:00:02.0" },
	},
};

/* As text, in order: "0 1" */
static const char *choose(const struct gpu_list *list, const char *wanted)
{
	static char numbers[128];
	struct gpu_chosen chosen;
	char why[GPU_WHY];
	int len = 0;

	if (!gpu_choose(list, wanted, &chosen, why))
		return "wrong";
	numbers[0] = '\0';
	for (unsigned int i = 0; i < chosen.nr; i++)
		len += snprintf(numbers + len, sizeof(numbers) - len, "%s%u",
				i ? " " : "", chosen.number[i]);
	return numbers;
}

static void named(void)
{
	static const struct {
		const char *wanted, *chosen;
	} cases[] = {
		{ "0", "0" }, { "2", "2" }, { "1,0", "1 0" }, { " 3 , 0 ", "3 0" },
		{ "00", "0" }, { "200", "wrong" }, { "6", "wrong" },
		{ "4294967296", "wrong" }, { "99999999999999999999999", "wrong" },
		{ "0000:04:00.0", "0" }, { "0001:04:00.0", "1" }, { "04:00.0", "0 1" },
		{ "4:0.0", "0 1" }, { "00000000:04:00.0", "0" }, { "0a:1F.7", "3" },
		{ "0002:04:00.0", "wrong" }, { "04:00.1", "wrong" }, { "04:00", "wrong" },
		{ UUID, "0" }, { "GPU-" UUID, "0" },
		{ "gpu-5FBAE4C0-8a0c-4d3c-9bd4-0c6e1a8e20f0", "0" },
		{ "0123456789abcdef", "3" }, { "GPU-0123456789abcdef", "3" },
		{ "5fbae4c0", "wrong" },
		{ "gpu", "0 1 5" }, { "cpu", "2" }, { "integrated", "3" },
		{ "discrete", "wrong" }, { "gfx90c", "3" }, { "gfx90", "wrong" },
		{ "H200", "0 1" }, { "radeon", "3" }, { "3.2 GHz", "2" },
		{ "auto", "0 1" }, { "auto, cpu", "0 1 2" }, { "gpu,0,H200", "0 1 5" },
		{ "4", "wrong" }, { "T4", "wrong" }, { "NVIDIA", "0 1" },
		{ "0,nothing", "wrong" }, { "nothing,0", "wrong" }, { "0,", "wrong" },
		{ ",", "wrong" }, { "", "wrong" }, { " ", "wrong" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const char *chosen = choose(&machine, cases[i].wanted);

		EXPECT(!strcmp(chosen, cases[i].chosen), "\"%s\": %s, not %s",
		       cases[i].wanted, chosen, cases[i].chosen);
	}
}

/* Whoever named nothing that is there is told what is, and has what else was named. */
static void told(void)
{
	static const char *const words[] = {
		"\"T4\"", "0 (NVIDIA H200, gpu, 0000:04:00.0, " UUID ")",
		"; 2 (pthread-Xeon, 3.2 GHz, cpu);",
		"4 (NVIDIA T4, gpu, 0000:05:00.0): it is not available",
	};
	struct gpu_chosen chosen;
	char why[GPU_WHY];

	EXPECT(!gpu_choose(&machine, "2,T4,no,0", &chosen, why), "it is there");
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		EXPECT(strstr(why, words[i]), "nothing of %s: %s", words[i], why);
	EXPECT(chosen.nr == 2 && chosen.number[0] == 2 && chosen.number[1] == 0,
	       "%u others", chosen.nr);
}

/* Most that there can be do not overflow what is said of them. */
static void many(void)
{
	struct gpu_list all = { .nr = GPU_FOUND_MAX };
	struct gpu_chosen chosen;
	char why[GPU_WHY];

	for (unsigned int i = 0; i < all.nr; i++)
		all.device[i] = machine.device[0];
	EXPECT(gpu_choose(&all, "gpu,auto,H200", &chosen, why), "%s", why);
	EXPECT(chosen.nr == GPU_FOUND_MAX, "%u chosen", chosen.nr);
	EXPECT(!gpu_choose(&all, "none", &chosen, why), "it is there");
	EXPECT(strlen(why) == GPU_WHY - 1, "%zu characters", strlen(why));
}

/* By what each is remembered: what stays the same, if no other is called so */
static void remembered(void)
{
	static const char *const names[] = {
		"0000:04:00.0", "0001:04:00.0", "2", "0000:0a:1f.7", "0000:05:00.0",
	};
	struct gpu_list list = machine;
	char name[GPU_NAME];

	for (unsigned int i = 0; i < ARRAY_SIZE(names); i++) {
		gpu_name(&list, i, name);
		EXPECT(!strcmp(name, names[i]), "%u: %s, not %s", i, name, names[i]);
	}
	list.device[0].address[0] = '\0';
	gpu_name(&list, 0, name);
	EXPECT(!strcmp(name, UUID), "%s", name);
	list.device[1] = list.device[0];
	gpu_name(&list, 1, name);
	EXPECT(!strcmp(name, "1"), "%s, which another is called, too", name);
}

/* Only who wants anything at all is content with nothing. */
static void nothing(void)
{
	const struct gpu_list none = { .nr = 0 };
	struct gpu_list lanes = { .nr = 1, .device = { machine.device[2] } };

	EXPECT(!strcmp(choose(&none, "auto"), ""), "something chosen");
	EXPECT(!strcmp(choose(&lanes, "auto"), ""), "a CPU chosen");
	EXPECT(!strcmp(choose(&none, "0"), "wrong"), "0 of none");
	EXPECT(!strcmp(choose(&none, "gpu"), "wrong"), "a GPU of none");
}

static const struct ktap_case cases[] = {
	{ "numbers, places, UUIDs, kinds and names", named },
	{ "what is wrong, and what there is", told },
	{ "many", many },
	{ "each has a name of its own", remembered },
	{ "nothing is there", nothing },
	{ 0 },
};

int main(void)
{
	return ktap_run(cases);
}
