// SPDX-License-Identifier: GPL-2.0-only
/*
 * wavecryptd: command line, and going to the background.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <argp.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <unistd.h>

#include "daemon/read.h"
#include "daemon/supervisor.h"
#include "daemon/there.h"
#include "lib/errand.h"
#include "lib/log.h"
#include "version.h"

/**
 * struct options - the command line
 * @config: settings
 * @source: where they come from; each of its &config_source.set is at least part
 *	of an argument
 * @foreground: do not go to the background
 * @test: read the configuration, and that is all
 * @print: the same, and show it
 */
struct options {
	struct config config;
	struct config_source source;
	bool foreground;
	bool test;
	bool print;
};

#define OPTION_PRINT	256

static const struct argp_option option_table[] = {
	{ "config", 'c', "FILE", 0,
	  "Read settings from FILE instead of " CONFIG_DEFAULT, 0 },
	{ "foreground", 'f', NULL, 0, "Stay in the foreground", 0 },
	{ "print-config", OPTION_PRINT, NULL, 0,
	  "Show all settings, and where each is from, and exit", 0 },
	{ "replace", 'r', NULL, 0,
	  "Take over from a helper that is attached", 0 },
	{ "set", 's', "NAME=VALUE", 0,
	  "Change a setting, whatever the file says", 0 },
	{ "test-config", 't', NULL, 0,
	  "Check the settings, and that there is what they name, and exit",
	  0 },
	{ 0 },
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct options *o = state->input;

	switch (key) {
	case 'c':
		o->source.file = arg;
		o->source.named = true;
		return 0;
	case 'f':
		o->foreground = true;
		return 0;
	case 'r':
		o->source.replace = true;
		return 0;
	case 's':
		o->source.set[o->source.nr_set++] = arg;
		return 0;
	case 't':
		o->test = true;
		return 0;
	case OPTION_PRINT:
		o->print = true;
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

/*
 * As it is read again when the daemon is in another directory. A link stays one: it may
 * be to another file by then.
 */
static const char *absolute(const char *file)
{
	static char path[2 * PATH_MAX];
	char dir[PATH_MAX];

	if (file[0] == '/' || !getcwd(dir, sizeof(dir)))
		return file;
	snprintf(path, sizeof(path), "%s/%s", dir, file);
	return path;
}

static bool read_config(struct options *o)
{
	char why[READ_ERROR];

	o->source.file = absolute(o->source.file);
	if (config_read(&o->config, &o->source, why))
		return true;
	log_err("%s", why);
	return false;
}

/* Is there what the settings name? */
static bool test_config(const struct options *o)
{
	bool good = true;

	for (size_t i = 0; i < CONFIG_SETTINGS; i++) {
		char error[THERE_ERROR];

		if (!config_missing(&o->config, i, &o->source, error))
			continue;
		log_err("%s", error);
		good = false;
	}
	return good;
}

/* As a configuration file, which says the same. */
static void print_config(const struct options *o)
{
	for (size_t i = 0; i < CONFIG_SETTINGS; i++) {
		struct config_shown shown;
		char where[READ_ERROR];

		config_show(&o->config, i, &shown);
		config_where(shown.origin, &o->source, where, sizeof(where));
		if (shown.value[0])
			printf("%s = %s  # %s\n", shown.name, shown.value,
			       where);
		else
			printf("#%s is not set\n", shown.name);
	}
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

static int run_in_background(struct options *o)
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
	return supervisor_run(&o->config, &o->source, background_ready, &b);
}

/* With some of the CPUs that workers are to have, they do. */
static bool can_work(const struct options *o)
{
	char error[THERE_ERROR];
	cpu_set_t set;

	if (!config_unusable(&o->config, NULL, &o->source, error))
		return true;
	if (!there_cpus(&o->config.worker_cpus, &set)) {
		log_err("%s", error);
		return false;
	}
	log_warn("%s; workers do with the others", error);
	return true;
}

static int run(struct options *o)
{
	struct background none = { .fd = -1 };

	if (!read_config(o))
		return EX_CONFIG;
	log_setup("wavecryptd", o->config.log_level);
	if (o->test && !test_config(o))
		return EX_CONFIG;
	if (o->print)
		print_config(o);
	if (o->test || o->print)
		return fflush(stdout) ? EX_IOERR : EX_OK;
	if (!can_work(o))
		return EX_CONFIG;
	if (!o->foreground)
		return run_in_background(o);
	return supervisor_run(&o->config, &o->source, background_ready, &none);
}

/* Whoever starts us with these closed has nothing else take their places. */
static void have_standard_files(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDWR);
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
}

int main(int argc, char **argv)
{
	struct options o = {
		.source = {
			.file = CONFIG_DEFAULT,
			.set = calloc(argc, sizeof(*o.source.set)),
		},
	};
	int status;

	have_standard_files();
	if (!o.source.set)
		return EX_OSERR;
	argp_err_exit_status = EX_USAGE;
	argp_parse(&parser, argc, argv, 0, NULL, &o);
	log_setup("wavecryptd", LOG_INFO);
	status = run(&o);
	free(o.source.set);
	/* What else there is to do at an exit may wait for a driver that does not return. */
	if (!errands_join(0))
		_exit(status);
	return status;
}
