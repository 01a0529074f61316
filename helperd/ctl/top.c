// SPDX-License-Identifier: GPL-2.0-only
/*
 * The terminal. It is given back as it was, however this ends.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <curses.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sysexits.h>
#include <unistd.h>

#include "ctl/top.h"
#include "lib/clock.h"

#define WIDTH_WITHOUT_TERMINAL	80

/**
 * struct top - what is on the screen
 * @ctl: where to look, how often
 * @signals: those that end it
 * @sample: the last one
 * @lines: what it shows
 * @first: the first of them that is on the screen
 */
struct top {
	const struct ctl *ctl;
	int signals;
	json_t *sample;
	json_t *lines;
	int first;
};

static json_t *next_view(const struct ctl *c, json_t **sample)
{
	json_t *before = *sample, *after = top_sample(c);
	json_t *view = top_view(before, after);

	json_decref(before);
	*sample = after;
	return view;
}

/* At most so far that the last line is still on it */
static void scroll_to(struct top *t, int first)
{
	int last = (int)json_array_size(t->lines) - (LINES - 1);

	if (first > last)
		first = last;
	t->first = first > 0 ? first : 0;
}

static void draw(struct top *t)
{
	erase();
	scroll_to(t, t->first);
	for (int i = 0; i < LINES - 1; i++) {
		json_t *text = json_array_get(t->lines, t->first + i);

		if (text)
			mvaddnstr(i, 0, json_string_value(text), COLS);
	}
	attron(A_REVERSE);
	mvaddnstr(LINES - 1, 0, "q: quit, arrows: scroll", COLS);
	attroff(A_REVERSE);
	refresh();
}

static void look(struct top *t, json_t **view)
{
	json_decref(*view);
	*view = next_view(t->ctl, &t->sample);
}

static void lay_out(struct top *t, const json_t *view)
{
	json_decref(t->lines);
	t->lines = top_lines(view, COLS > 0 ? COLS : 1);
	draw(t);
}

/* false: to quit */
static bool key(struct top *t, const json_t *view, int ch)
{
	switch (ch) {
	case 'q':
	case 'Q':
		return false;
	case KEY_RESIZE:
		lay_out(t, view);
		return true;
	case KEY_UP:
	case 'k':
		scroll_to(t, t->first - 1);
		break;
	case KEY_DOWN:
	case 'j':
		scroll_to(t, t->first + 1);
		break;
	case KEY_PPAGE:
		scroll_to(t, t->first - (LINES - 2));
		break;
	case KEY_NPAGE:
	case ' ':
		scroll_to(t, t->first + (LINES - 2));
		break;
	case KEY_HOME:
		scroll_to(t, 0);
		break;
	default:
		return true;
	}
	draw(t);
	return true;
}

/* Until it is time for the next sample, or to quit: false */
static bool wait_and_obey(struct top *t, const json_t *view, uint64_t until)
{
	for (;;) {
		struct pollfd fds[] = {
			{ .fd = STDIN_FILENO, .events = POLLIN },
			{ .fd = t->signals, .events = POLLIN },
		};
		uint64_t now = clock_ns();
		int left = now < until ? (until - now) / NSEC_PER_MSEC + 1 : 0;
		int ch;

		/* A resized window interrupts it. */
		if (poll(fds, 2, left) < 0 && errno != EINTR)
			return false;
		if (fds[1].revents)
			return false;
		ch = getch();
		/* The terminal has gone. */
		if (ch == ERR && fds[0].revents & (POLLHUP | POLLERR))
			return false;
		for (; ch != ERR; ch = getch())
			if (!key(t, view, ch))
				return false;
		if (!left)
			return true;
	}
}

static int signals_open(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, NULL);
	return signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
}

static int run_in_terminal(const struct ctl *c)
{
	struct top t = { .ctl = c, .signals = signals_open() };
	uint64_t interval = c->interval * NSEC_PER_SEC;
	SCREEN *screen = newterm(NULL, stdout, stdin);
	json_t *view = NULL;

	if (!screen) {
		const char *name = getenv("TERM");

		fprintf(stderr,
			"wavecryptctl: a terminal of type \"%s\" is not known; try TERM=vt100, or --json\n",
			name ? name : "");
		close(t.signals);
		return EX_UNAVAILABLE;
	}
	cbreak();
	noecho();
	nodelay(stdscr, TRUE);
	keypad(stdscr, TRUE);
	curs_set(0);
	t.sample = top_sample(c);
	/* What there is at once; rates come with the second sample. */
	view = top_view(t.sample, t.sample);
	for (unsigned int n = 0;; n++) {
		lay_out(&t, view);
		/* From here on: a sample may have taken longer than that. */
		if (!wait_and_obey(&t, view, clock_ns() + interval))
			break;
		/* The last one has been there as long as the others. */
		if (c->count && n == c->count)
			break;
		look(&t, &view);
	}
	endwin();
	delscreen(screen);
	json_decref(view);
	json_decref(t.sample);
	json_decref(t.lines);
	close(t.signals);
	return EX_OK;
}

static int width(void)
{
	const char *columns = getenv("COLUMNS");
	int n = columns ? atoi(columns) : 0;

	return n > 0 ? n : WIDTH_WITHOUT_TERMINAL;
}

static void print_view(const struct ctl *c, const json_t *view)
{
	json_t *lines, *text;
	size_t i;

	if (c->json) {
		json_dumpf(view, stdout, JSON_INDENT(2));
		printf("\n");
		return;
	}
	lines = top_lines(view, width());
	json_array_foreach(lines, i, text)
		printf("%s\n", json_string_value(text));
	json_decref(lines);
}

/* For a file or a pipe */
static int run_without(const struct ctl *c)
{
	unsigned int count = c->count ? c->count : 1;
	json_t *sample = top_sample(c);

	for (unsigned int n = 0; n < count; n++) {
		json_t *view;

		usleep(c->interval * 1000000);
		view = next_view(c, &sample);
		if (n && !c->json)
			printf("\n");
		print_view(c, view);
		json_decref(view);
		if (fflush(stdout))
			break;
	}
	json_decref(sample);
	return EX_OK;
}

int top_run(const struct ctl *c)
{
	if (c->json || !isatty(STDOUT_FILENO) || !isatty(STDIN_FILENO))
		return run_without(c);
	return run_in_terminal(c);
}
