// SPDX-License-Identifier: GPL-2.0-only
/*
 * wavecryptctl: command line.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <argp.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "ctl/bench.h"
#include "ctl/children.h"
#include "ctl/control_socket.h"
#include "ctl/ctl.h"
#include "ctl/daemon.h"
#include "ctl/doctor.h"
#include "ctl/drain.h"
#include "ctl/filter.h"
#include "ctl/gpu.h"
#include "ctl/sas.h"
#include "ctl/selftest.h"
#include "ctl/top.h"
#include "ctl/vici.h"
#include "daemon/config.h"
#include "lib/array.h"
#include "version.h"

/* Exit status of "status" if traffic is not accelerated, and so on. */
#define EXIT_BAD	1

/**
 * struct command - a command
 * @name: its name
 * @collect: what it has to say
 * @print: as text
 * @verdict: the member that says whether all is well; if it is false, or not
 *	there, so is the exit status. NULL: there is none.
 * @run: a command that is not to print what it has collected, but does all by
 *	itself. Return: exit status.
 * @args: how many arguments it takes, at most
 * @needs: and at least
 * @filters: they name SAs
 * @names: it shows SAs, with their names
 * @takes: options that only some commands take: TAKES_...
 */
struct command {
	const char *name;
	json_t *(*collect)(const struct ctl *c);
	void (*print)(const json_t *json);
	const char *verdict;
	int (*run)(const struct ctl *c);
	unsigned int args;
	unsigned int needs;
	bool filters;
	bool names;
	unsigned int takes;
};

#define TAKES_INTERVAL	0x01
#define TAKES_COUNT	0x02
#define TAKES_OUTPUT	0x04
#define TAKES_SAS	0x08
#define TAKES_HTTP	0x10
#define TAKES_VICI	0x20

/* A command that shows what it has collected */
#define SHOW(word, what, member, ...) {		\
	.name = (word),				\
	.collect = what##_collect,		\
	.print = what##_print,			\
	.verdict = (member),			\
	##__VA_ARGS__				\
}

static const struct command commands[] = {
	SHOW("status", status, "accelerated", .args = CTL_ARGS, .filters = true,
	     .names = true, .takes = TAKES_INTERVAL | TAKES_VICI),
	SHOW("sas", sas_list, "sas", .args = CTL_ARGS, .filters = true,
	     .names = true, .takes = TAKES_VICI),
	SHOW("stats", stats, NULL),
	SHOW("doctor", doctor, "healthy"),
	SHOW("bench", bench, "correct"),
	SHOW("selftest", selftest, "passed", .args = CTL_ARGS,
	     .takes = TAKES_COUNT),
	{ .name = "metrics", .run = metrics_run, .names = true,
	  .takes = TAKES_OUTPUT | TAKES_SAS | TAKES_HTTP | TAKES_VICI },
	{ .name = "top", .run = top_run, .args = CTL_ARGS, .filters = true,
	  .names = true,
	  .takes = TAKES_INTERVAL | TAKES_COUNT | TAKES_VICI },
	SHOW("route", route, "classes"),
	SHOW("devices", devices, NULL),
	SHOW("config", config, "settings"),
	SHOW("reload", reload, "applied"),
	{ .name = "log-level", .collect = level_collect, .print = reload_print,
	  .verdict = "applied", .args = 1, .needs = 1 },
	SHOW("drain", drain, "drained"),
	SHOW("resume", resume, "resumed"),
	SHOW("retire", retire, "retired"),
	SHOW("gpu", gpu, "done", .args = 2),
};

/**
 * struct options - the command line
 * @ctl: where to look
 * @children: names of SAs, for those commands that show them
 * @command: the command
 * @given: options that not every command takes: TAKES_...
 */
struct options {
	struct ctl ctl;
	struct children children;
	const struct command *command;
	unsigned int given;
};

#define OPTION_ROOT	256
#define OPTION_SAS	257
#define OPTION_HTTP	258
#define OPTION_VICI	259

/* Limits of --interval */
#define SHORTEST_S	0.05
#define LONGEST_S	3600

static const struct argp_option option_table[] = {
	{ "json", 'j', NULL, 0, "Print JSON", 0 },
	{ "socket", 's', "PATH", 0,
	  "Control socket of wavecryptd, if not what " CONFIG_DEFAULT " says", 0 },
	{ "interval", 'i', "SECONDS", 0,
	  "status, top: time between samples, 1 unless told", 0 },
	{ "count", 'n', "N", 0,
	  "top: end after so many samples; selftest: send so many packets", 0 },
	{ "output", 'o', "FILE", 0,
	  "metrics: replace FILE, whole or not at all", 0 },
	{ "sas", OPTION_SAS, NULL, 0, "metrics: with SAs, by reqid", 0 },
	{ "http", OPTION_HTTP, NULL, 0,
	  "metrics: answer an HTTP request on standard input", 0 },
	{ "vici", OPTION_VICI, "PATH", 0,
	  "status, sas, top, metrics: strongSwan's socket, if not " VICI_SOCKET, 0 },
	{ "root", OPTION_ROOT, "DIR", 0,
	  "Look for sys/ and proc/ in DIR instead of /", 0 },
	{ 0 },
};

static const struct command *command_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
		if (!strcmp(commands[i].name, name))
			return &commands[i];
	return NULL;
}

/* A number within limits; does not return if it is none. */
static double parse_number(struct argp_state *state, const char *option,
			   const char *arg, double min, double max)
{
	char *end;
	double n = strtod(arg, &end);

	/* Not so that a NaN passes */
	if (end == arg || *end || !(n >= min && n <= max))
		argp_error(state, "%s: \"%s\" is no number from %g to %g",
			   option, arg, min, max);
	return n;
}

/* The command, or what follows it */
static void take_argument(struct options *o, const char *arg,
			  const struct argp_state *state)
{
	if (!o->command) {
		o->command = command_find(arg);
		if (!o->command)
			argp_error(state, "no such command: \"%s\"", arg);
		else if (o->command->names)
			o->ctl.children = &o->children;
	} else if (o->command->filters && !filter_known(arg)) {
		argp_error(state, "\"%s\" names no SA", arg);
	} else if (o->ctl.nr_args < o->command->args) {
		o->ctl.args[o->ctl.nr_args++] = arg;
	} else {
		argp_error(state, "unexpected argument \"%s\"", arg);
	}
}

/* What only some commands take; 0: any other option */
static unsigned int takes(int key)
{
	switch (key) {
	case 'i':
		return TAKES_INTERVAL;
	case 'n':
		return TAKES_COUNT;
	case 'o':
		return TAKES_OUTPUT;
	case OPTION_SAS:
		return TAKES_SAS;
	case OPTION_HTTP:
		return TAKES_HTTP;
	case OPTION_VICI:
		return TAKES_VICI;
	default:
		return 0;
	}
}

/* Options may come before the command. */
static void check_options(const struct options *o, const struct argp_state *state)
{
	unsigned int wrong = o->given & ~o->command->takes;
	const struct argp_option *option;

	for (option = option_table; option->name; option++)
		if (wrong & takes(option->key))
			argp_error(state, "%s does not take --%s",
				   o->command->name, option->name);
	if (o->ctl.http && o->ctl.output)
		argp_error(state, "--http and --output exclude each other");
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct options *o = state->input;

	o->given |= takes(key);
	switch (key) {
	case 'j':
		o->ctl.json = true;
		return 0;
	case 's':
		o->ctl.socket = arg;
		return 0;
	case 'n':
		o->ctl.count = parse_number(state, "--count", arg, 1, UINT_MAX);
		return 0;
	case 'i':
		o->ctl.interval = parse_number(state, "--interval", arg,
					       SHORTEST_S, LONGEST_S);
		return 0;
	case 'o':
		o->ctl.output = arg;
		return 0;
	case OPTION_SAS:
		o->ctl.sas = true;
		return 0;
	case OPTION_HTTP:
		o->ctl.http = true;
		return 0;
	case OPTION_VICI:
		o->children.path = arg;
		return 0;
	case OPTION_ROOT:
		o->ctl.root = arg;
		return 0;
	case ARGP_KEY_ARG:
		take_argument(o, arg, state);
		return 0;
	case ARGP_KEY_END:
		if (!o->command)
			argp_error(state, "which command?");
		else if (o->ctl.nr_args < o->command->needs)
			argp_error(state, "%s: argument missing",
				   o->command->name);
		else
			check_options(o, state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp parser = {
	.options = option_table,
	.parser = parse_option,
	.args_doc = "COMMAND [ARGUMENT...]",
	.doc = "Shows what wavecrypt is doing.\n\n"
	       "Commands:\n"
	       "  status [SA...]  is traffic being accelerated, and if not, why not?\n"
	       "  sas [SA...]  SAs, and who serves each\n"
	       "  doctor  what is wrong with this machine, and what to do about it\n"
	       "  bench   is this processor's work right, and how fast is it?\n"
	       "  selftest [PROPOSAL...]  are the module's packets right?\n"
	       "  stats   every counter of the module and of the daemon\n"
	       "  top [SA...]  the same, live\n"
	       "  metrics the same for Prometheus\n"
	       "  route   which way the module sends requests, and why\n"
	       "  devices  GPUs, as settings name them\n"
	       "  config  the daemon's settings, and where each is from\n"
	       "  reload  have the daemon read its settings again\n"
	       "  log-level LEVEL  have it say more, or less, until then\n"
	       "  drain   offload nothing more, before maintenance\n"
	       "  resume  undo that\n"
	       "  retire  let new SAs use the kernel's own code, to unload the module\n"
	       "  gpu [enable|disable [amd|nvidia|intel]]  what the daemon's unit allows\n"
	       "\vSA: an SPI (0x...), an address of either end, a reqid, part of an\n"
	       "algorithm's name, the name of a CHILD_SA of strongSwan's; or spi=, peer=,\n"
	       "reqid=, algorithm=, child=. Of several, all.\n\n"
	       "See wavecryptctl(8).",
};

const char *argp_program_version = "wavecryptctl " WAVECRYPT_VERSION;

static bool good(const json_t *verdict)
{
	return verdict && !json_is_false(verdict);
}

static int print(const struct ctl *c, const struct command *command)
{
	json_t *answer = command->collect(c);
	int status = EX_OK;

	if (!answer) {
		fprintf(stderr, "wavecryptctl: no memory\n");
		return EX_OSERR;
	}
	if (c->json) {
		json_dumpf(answer, stdout, JSON_INDENT(2));
		printf("\n");
	} else {
		command->print(answer);
	}
	if (command->verdict && !good(json_object_get(answer, command->verdict)))
		status = EXIT_BAD;
	json_decref(answer);
	return status;
}

int main(int argc, char **argv)
{
	struct options o = {
		.ctl = {
			.root = "",
			.interval = 1,
		},
		.children = { .path = VICI_SOCKET },
	};
	char control[SETTING_TEXT];
	int status;

	argp_err_exit_status = EX_USAGE;
	argp_parse(&parser, argc, argv, 0, NULL, &o);
	if (!o.ctl.socket) {
		control_socket(o.ctl.root, control);
		o.ctl.socket = control;
	}
	status = o.command->run ? o.command->run(&o.ctl) :
				  print(&o.ctl, o.command);
	json_decref(o.children.names);
	if (fflush(stdout) || ferror(stdout))
		return EX_IOERR;
	return status;
}
