// SPDX-License-Identifier: GPL-2.0-only
/*
 * wavecryptd: command line, and going to the background.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <argp.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <unistd.h>

#include "daemon/config.h"
#include "daemon/supervisor.h"
#include "lib/log.h"
#include "version.h"

/**
 * struct options - the command line
 * @config: settings so far
 * @file: configuration file, or NULL for the default
 * @set: settings from the command line, which go over those in the file; each
 *	is at least part of an argument
 * @nr_set: how many
 * @replace: the setting of that name is on, whatever @set says
 * @foreground: do not go to the background
 * @test: read the configuration, and that is all
 */
struct options {
	struct config config;
	const char *file;
	const char **set;
	int nr_set;
	bool replace;
	bool foreground;
	bool test;
};

static const struct argp_option option_table[] = {
	{ "config", 'c', "FILE", 0,
	  "Read settings from FILE instead of " CONFIG_DEFAULT, 0 },
	{ "foreground", 'f', NULL, 0, "Stay in the foreground", 0 },
	{ "replace", 'r', NULL, 0,
	  "Take over from a helper that is attached", 0 },
	{ "set", 's', "NAME=VALUE", 0,
	  "Change a setting, whatever the file says", 0 },
	{ "test-config", 't', NULL, 0,
	  "Check the settings and exit", 0 },
	{ 0 },
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct options *o = state->input;

	switch (key) {
	case 'c':
		o->file = arg;
		return 0;
	case 'f':
		o->foreground = true;
		return 0;
	case 'r':
		o->replace = true;
		return 0;
	case 's':
		o->set[o->nr_set++] = arg;
		return 0;
	case 't':
		o->test = true;
		return 0;
	case ARGP_KEY_ARG:
		argp_error(state, "unexpected argument \"%s\"", arg);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp parser = {
	.options = option_table,
	.parser = parse_option,
	.doc = "Encrypts and decrypts, in batches, what the wavecrypt module hands over.\n"
	       "\vSee wavecryptd(8) and wavecryptd.conf(5).",
};

const char *argp_program_version = "wavecryptd " WAVECRYPT_VERSION;

static bool read_config(struct options *o)
{
	const char *file = o->file ? o->file : CONFIG_DEFAULT;
	struct config_error err;

	config_init(&o->config);
	if (!o->file && access(file, F_OK) && errno == ENOENT) {
		/* Every setting has a default. */
	} else if (!config_file(&o->config, file, &err)) {
		if (err.line)
			log_err("%s:%u:%u: %s", file, err.line, err.column,
				err.text);
		else
			log_err("%s: %s", file, err.text);
		return false;
	}
	for (int i = 0; i < o->nr_set; i++) {
		if (config_line(&o->config, o->set[i], &err))
			continue;
		log_err("--set %s: column %u: %s", o->set[i], err.column,
			err.text);
		return false;
	}
	o->config.replace |= o->replace;
	return true;
}

/**
 * struct background - how the child tells its parent that it is ready
 * @fd: pipe to it, or -1
 */
struct background {
	int fd;
};

static void background_ready(void *context)
{
	struct background *b = context;
	int null;

	if (b->fd < 0)
		return;
	log_to_syslog();
	null = open("/dev/null", O_RDWR | O_CLOEXEC);
	for (int fd = STDIN_FILENO; null >= 0 && fd <= STDERR_FILENO; fd++)
		dup2(null, fd);
	if (write(b->fd, "", 1) < 0)
		log_warn("cannot report readiness: %s", strerror(errno));
	close(b->fd);
	b->fd = -1;
}

/* The parent's part: leave when the child is ready, or with its status. */
static int background_await(int fd, pid_t child)
{
	char ready;
	int status;

	if (read(fd, &ready, 1) == 1)
		return EX_OK;
	if (waitpid(child, &status, 0) == child && WIFEXITED(status))
		return WEXITSTATUS(status);
	return EX_SOFTWARE;
}

static int run_in_background(const struct config *config)
{
	struct background b;
	int fds[2];
	pid_t child;

	if (pipe2(fds, O_CLOEXEC)) {
		log_err("pipe: %s", strerror(errno));
		return EX_OSERR;
	}
	child = fork();
	if (child < 0) {
		log_err("fork: %s", strerror(errno));
		return EX_OSERR;
	}
	if (child) {
		close(fds[1]);
		return background_await(fds[0], child);
	}
	close(fds[0]);
	setsid();
	if (chdir("/"))
		log_warn("chdir: %s", strerror(errno));
	b.fd = fds[1];
	return supervisor_run(config, background_ready, &b);
}

int main(int argc, char **argv)
{
	struct options o = { .set = calloc(argc, sizeof(*o.set)) };
	struct background none = { .fd = -1 };
	int status;

	if (!o.set)
		return EX_OSERR;
	argp_err_exit_status = EX_USAGE;
	argp_parse(&parser, argc, argv, 0, NULL, &o);
	log_setup("wavecryptd", LOG_INFO);
	if (!read_config(&o)) {
		free(o.set);
		return EX_CONFIG;
	}
	log_setup("wavecryptd", o.config.log_level);
	free(o.set);
	if (o.test)
		return EX_OK;
	if (o.foreground)
		status = supervisor_run(&o.config, background_ready, &none);
	else
		status = run_in_background(&o.config);
	return status;
}
