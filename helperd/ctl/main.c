// SPDX-License-Identifier: GPL-2.0-only
/*
 * wavecryptctl: command line.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <argp.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sysexits.h>

#include "array.h"
#include "config.h"
#include "ctl/ctl.h"
#include "version.h"

/* Exit status of "status" if traffic is not accelerated. */
#define EXIT_NOT_ACCELERATED	1

/**
 * struct command - a command
 * @name: its name
 * @collect: what it has to say
 * @print: as text
 * @failed: exit status if "accelerated" is false; 0: it does not matter
 */
struct command {
	const char *name;
	json_t *(*collect)(const struct ctl *c);
	void (*print)(const json_t *json);
	int failed;
};

static const struct command commands[] = {
	{ "status", status_collect, status_print, EXIT_NOT_ACCELERATED },
	{ "stats", stats_collect, stats_print, 0 },
};

/**
 * struct options - the command line
 * @ctl: where to look
 * @json: print JSON
 * @command: the command
 */
struct options {
	struct ctl ctl;
	bool json;
	const struct command *command;
};

#define OPTION_ROOT	256

static const struct argp_option option_table[] = {
	{ "json", 'j', NULL, 0, "Print JSON", 0 },
	{ "socket", 's', "PATH", 0,
	  "Control socket of wavecryptd, if not " CONFIG_CONTROL, 0 },
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

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct options *o = state->input;

	switch (key) {
	case 'j':
		o->json = true;
		return 0;
	case 's':
		o->ctl.socket = arg;
		return 0;
	case OPTION_ROOT:
		o->ctl.root = arg;
		return 0;
	case ARGP_KEY_ARG:
		if (o->command)
			argp_error(state, "unexpected argument \"%s\"", arg);
		o->command = command_find(arg);
		if (!o->command)
			argp_error(state, "no such command: \"%s\"", arg);
		return 0;
	case ARGP_KEY_END:
		if (!o->command)
			argp_error(state, "which command?");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp parser = {
	.options = option_table,
	.parser = parse_option,
	.args_doc = "COMMAND",
	.doc = "Shows what wavecrypt is doing.\n\n"
	       "Commands:\n"
	       "  status  is traffic being accelerated, and if not, why not?\n"
	       "  stats   every counter of the module and of the daemon\n"
	       "\vSee wavecryptctl(8).",
};

const char *argp_program_version = "wavecryptctl " WAVECRYPT_VERSION;

int main(int argc, char **argv)
{
	struct options o = { .ctl = { "", CONFIG_CONTROL } };
	const json_t *good;
	int status = EX_OK;
	json_t *answer;

	argp_err_exit_status = EX_USAGE;
	argp_parse(&parser, argc, argv, 0, NULL, &o);
	answer = o.command->collect(&o.ctl);
	if (!answer) {
		fprintf(stderr, "wavecryptctl: no memory\n");
		return EX_OSERR;
	}
	if (o.json) {
		json_dumpf(answer, stdout, JSON_INDENT(2));
		printf("\n");
	} else {
		o.command->print(answer);
	}
	good = json_object_get(answer, "accelerated");
	if (o.command->failed && !json_is_true(good))
		status = o.command->failed;
	json_decref(answer);
	if (fflush(stdout) || ferror(stdout))
		return EX_IOERR;
	return status;
}
