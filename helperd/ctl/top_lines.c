// SPDX-License-Identifier: GPL-2.0-only
/*
 * What matters most comes first, on every line and in the whole, for a terminal
 * may be small.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ctl/top.h"
#include "report/json.h"

#define LINE	512

/**
 * struct page - lines so far
 * @lines: they
 * @width: of each, at most
 */
struct page {
	json_t *lines;
	int width;
};

static void line(struct page *p, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static void line(struct page *p, const char *fmt, ...)
{
	char whole[LINE];
	va_list args;
	int n;

	va_start(args, fmt);
	n = vsnprintf(whole, sizeof(whole), fmt, args);
	va_end(args);
	if (n > LINE - 1)
		n = LINE - 1;
	if (n > p->width)
		n = p->width;
	while (n > 0 && whole[n - 1] == ' ')
		n--;
	json_array_append_new(p->lines, json_stringn(whole, n));
}

/* A paragraph, over as many lines as it takes */
static void paragraph(struct page *p, const char *words)
{
	while (*words) {
		int n = strlen(words);

		if (n > p->width) {
			n = p->width;
			while (n && words[n] != ' ')
				n--;
			if (!n)
				n = p->width;
		}
		line(p, "%.*s", n, words);
		words += n;
		words += strspn(words, " ");
	}
}

/* Why something is missing, if it is */
static void missing(struct page *p, const char *what, const char *why)
{
	char words[LINE];

	if (!why[0])
		return;
	snprintf(words, sizeof(words), "%s: %s", what, why);
	paragraph(p, words);
}

/* "12.3k": four significant characters and a power of a thousand */
static const char *human(char to[16], double n)
{
	static const char powers[] = " kMGTPE";
	size_t i = 0;

	while (n >= 999.5 && i < sizeof(powers) - 2) {
		n /= 1000;
		i++;
	}
	if (i)
		snprintf(to, 16, "%.*f%c", n < 9.995 ? 2 : n < 99.95 ? 1 : 0,
			 n, powers[i]);
	else
		snprintf(to, 16, "%.0f", n);
	return to;
}

/* "2us": where a range of nanoseconds ends, if it does */
static const char *duration(char to[16], const char *end)
{
	double ns = atof(end);

	if (ranges_rest(end))
		strcpy(to, "more");
	else if (ns < 1000000)
		snprintf(to, 16, "%.0fus", ns / 1000);
	else
		snprintf(to, 16, "%.0fms", ns / 1000000);
	return to;
}

/* As long as the share of what the line has left after @used columns */
static void bar(struct page *p, const char *name, double n, double sum)
{
	static const char full[] =
		"##################################################";
	int room = p->width - 22, length;
	char value[16];

	if (room > (int)sizeof(full) - 1)
		room = sizeof(full) - 1;
	if (room < 0)
		room = 0;
	length = sum > 0 ? room * n / sum + 0.5 : 0;
	line(p, "%8s %7s %3.0f%% %.*s", name, human(value, n),
	     sum > 0 ? 100 * n / sum : 0, length, full);
}

static double sum_of(const json_t *object)
{
	double sum = 0;
	const char *key;
	json_t *value;

	json_object_foreach((json_t *)object, key, value)
		sum += json_real_value(value);
	return sum;
}

static void heading(struct page *p, const char *what)
{
	line(p, "%s", "");
	line(p, "%s", what);
}

static void ways(struct page *p, const json_t *all)
{
	double sum = sum_of(all);
	const char *way;
	json_t *n;

	heading(p, "packets/s, and who did them");
	json_object_foreach((json_t *)all, way, n)
		bar(p, way, json_real_value(n), sum);
}

/* Those that have been asked for now */
static void algorithms(struct page *p, const json_t *all)
{
	char a[16], b[16], c[16], d[16];
	bool any = false;
	const char *name;
	json_t *alg;

	json_object_foreach((json_t *)all, name, alg) {
		if (sum_of(alg) <= 0)
			continue;
		if (!any)
			heading(p, "   bit/s  offload   inline   redone  algorithm");
		any = true;
		line(p, "%8s %8s %8s %8s  %s", human(a, real(alg, "bits")),
		     human(b, real(alg, "offloaded")),
		     human(c, real(alg, "inline")),
		     human(d, real(alg, "redone")), name);
	}
}

static void sizes(struct page *p, const json_t *ranges)
{
	double sum = sum_of(ranges);
	const char *end;
	json_t *n;

	if (!json_object_size(ranges))
		return;
	heading(p, "batches/s, of up to so many packets");
	json_object_foreach((json_t *)ranges, end, n)
		bar(p, end, json_real_value(n), sum);
}

/* From the first range that has any to the last */
static void times(struct page *p, const json_t *ranges)
{
	double sum = sum_of(ranges), seen = 0;
	const char *end;
	char name[16];
	json_t *n;

	if (sum <= 0)
		return;
	heading(p, "workers' turns/s that took up to");
	json_object_foreach((json_t *)ranges, end, n) {
		seen += json_real_value(n);
		if (seen > 0)
			bar(p, duration(name, end), json_real_value(n), sum);
		if (seen >= sum * 0.999999)
			break;
	}
}

/* The range in which that part of all is reached, or NULL */
static const char *percentile(const json_t *ranges, double part)
{
	double sum = sum_of(ranges), seen = 0;
	const char *end;
	json_t *n;

	json_object_foreach((json_t *)ranges, end, n) {
		seen += json_real_value(n);
		if (seen >= sum * part)
			return end;
	}
	return NULL;
}

/* "<2us", of the range that ends there */
static const char *up_to(char to[24], const json_t *ranges, double part)
{
	const char *end = percentile(ranges, part);
	char time[16];

	if (end && !ranges_rest(end))
		snprintf(to, 24, "<%s", duration(time, end));
	else
		snprintf(to, 24, "more");
	return to;
}

/* By the module's file, whose name begins with the way that requests went */
static void latency(struct page *p, const json_t *files)
{
	bool any = false;
	const char *file;
	json_t *ranges;

	json_object_foreach((json_t *)files, file, ranges) {
		char a[24], b[24], c[24];

		if (sum_of(ranges) <= 0)
			continue;
		if (!any)
			heading(p, "latency      50%      90%      99%  of requests");
		any = true;
		line(p, "%-8.*s%8s %8s %8s", (int)strcspn(file, "_"), file,
		     up_to(a, ranges, 0.5), up_to(b, ranges, 0.9),
		     up_to(c, ranges, 0.99));
	}
}

static void bins(struct page *p, const json_t *kinds)
{
	const char *kind, *end;
	json_t *ranges, *n;
	char value[16];

	if (!json_object_size(kinds))
		return;
	heading(p, "bins, packets/s of up to so many bytes");
	json_object_foreach((json_t *)kinds, kind, ranges) {
		char cells[LINE] = "";
		size_t used = 0;

		json_object_foreach(ranges, end, n) {
			if (json_real_value(n) <= 0)
				continue;
			used += snprintf(cells + used, sizeof(cells) - used,
					 " %s:%s",
					 ranges_rest(end) ? "more" : end,
					 human(value, json_real_value(n)));
			if (used >= sizeof(cells))
				break;
		}
		if (used)
			line(p, "%s %s", cells, kind);
	}
}

static void workers(struct page *p, const json_t *all)
{
	const json_t *w;
	char a[16], b[16];
	size_t i;

	if (!json_array_size(all))
		return;
	heading(p, "worker  busy  packets    bit/s  CPUs");
	json_array_foreach(all, i, w)
		line(p, "%6zu %4.0f%% %8s %8s  %s%s", i,
		     100 * real(w, "busy"), human(a, real(w, "packets")),
		     human(b, real(w, "bits")), text(w, "cpus"),
		     json_is_true(json_object_get(w, "asleep")) ? ", asleep" :
								  "");
}

/* "61", or "-" if it is not known */
static const char *known(char to[16], const json_t *device, const char *key,
			 double unit)
{
	if (json_object_get(device, key) && figure(device, key) >= 0)
		snprintf(to, 16, "%.0f", unit * figure(device, key));
	else
		strcpy(to, "-");
	return to;
}

static void devices(struct page *p, const json_t *all)
{
	const json_t *dev;
	size_t i;

	if (!json_array_size(all))
		return;
	heading(p, "device        packets    bit/s flying busy%    C    W node  state");
	json_array_foreach(all, i, dev) {
		const char *why = text(dev, "why");
		char a[16], b[16], c[16], d[16], e[16], f[16], again[48] = "";

		if (json_object_get(dev, "retry_s"))
			snprintf(again, sizeof(again), ", again in %.0f s",
				 real(dev, "retry_s"));
		line(p, "%-12s %8s %8s %6lld %5s %4s %4s %4s  %s%s%s%s",
		     text(dev, "name"),
		     human(a, real(dev, "packets")), human(b, real(dev, "bits")),
		     (long long)number(dev, "in_flight"),
		     known(c, dev, "busy", 100),
		     known(d, dev, "temperature_c", 1),
		     known(e, dev, "power_w", 1), known(f, dev, "node", 1),
		     text(dev, "state"), again, why[0] ? ": " : "", why);
	}
}

static void sas(struct page *p, const json_t *all, long long nr)
{
	char packets[16], bits[16], offloaded[16];
	const json_t *sa;
	size_t i;

	if (!json_array_size(all))
		return;
	line(p, "%s", "");
	line(p, "SA          packets  offload    bit/s  proposal, driver (%zu of %lld)",
	     json_array_size(all), nr);
	json_array_foreach(all, i, sa) {
		const char *driver = text(sa, "driver");
		const char *proposal = text(sa, "proposal");

		line(p, "%-10s %8s %8s %8s  %s%s%s, %s %s > %s", text(sa, "spi"),
		     human(packets, real(sa, "packets_per_s")),
		     human(offloaded, real(sa, "offloaded_per_s")),
		     human(bits, real(sa, "bits_per_s")),
		     proposal, proposal[0] ? ", " : "",
		     driver[0] ? driver : "?", text(sa, "direction"),
		     text(sa, "src"), text(sa, "dst"));
	}
}

json_t *top_lines(const json_t *view, int width)
{
	struct page p = { json_array(), width };

	paragraph(&p, text(view, "summary"));
	missing(&p, "helper", text(view, "helper_error"));
	missing(&p, "SAs", text(view, "sas_error"));
	missing(&p, "Names of SAs", text(view, "children_error"));
	ways(&p, json_object_get(view, "ways"));
	algorithms(&p, json_object_get(view, "algorithms"));
	latency(&p, json_object_get(view, "latency"));
	devices(&p, json_object_get(view, "devices"));
	sas(&p, json_object_get(view, "sas"), number(view, "nr_sas"));
	workers(&p, json_object_get(view, "workers"));
	sizes(&p, json_object_get(view, "chunk_sizes"));
	times(&p, json_object_get(view, "turn_ns"));
	bins(&p, json_object_get(view, "bins"));
	return p.lines;
}
