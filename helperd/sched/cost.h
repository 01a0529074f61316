/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The cost model: how long a backend takes, calibrated when it was opened and
 * kept current from what every chunk took.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_SCHED_COST_H
#define WAVECRYPT_SCHED_COST_H

#include "backends/backend.h"

/**
 * struct cost_line - a straight line through what was observed
 * @a: its height at 0
 * @b: its slope
 * @x: where the two anchors are
 * @y: what was calibrated there
 * @w: weight of the observations; older ones fade
 * @wx: their weighted sum of x
 * @wy: of y
 * @wxx: of x squared
 * @wxy: of x times y
 *
 * Fitted by least squares. The anchors keep it sensible where nothing was
 * observed lately: with one length only, observations say nothing of the slope.
 */
struct cost_line {
	double a;
	double b;
	double x[2];
	double y[2];
	double w;
	double wx;
	double wy;
	double wxx;
	double wxy;
};

/** cost_line_init - a line through two anchors */
void cost_line_init(struct cost_line *l, double x0, double y0, double x1,
		    double y1);

/** cost_line_at - its height at @x, never less than a nanosecond */
static inline double cost_line_at(const struct cost_line *l, double x)
{
	double y = l->a + l->b * x;

	return y > 1 ? y : 1;
}

/**
 * cost_line_learn - one more observation
 * @l: the line
 * @x: where
 * @y: what was observed; more than four times too high or low counts as that,
 *	for it is likely that something else disturbed it
 * @weight: how much it counts, 1 being a good observation
 */
void cost_line_learn(struct cost_line *l, double x, double y, double weight);

/**
 * struct cost_model - of one instance of a backend
 * @fixed: ns for each chunk, by kind
 * @packet: ns for each packet by its length, by kind
 * @delay: ns that a chunk takes over and above that if it is alone, by the
 *	longest payload in it, by kind
 * @host: ns of the worker's own time for a chunk, by number of packets
 */
struct cost_model {
	double fixed[ALG_KINDS];
	struct cost_line packet[ALG_KINDS];
	struct cost_line delay[ALG_KINDS];
	struct cost_line host;
};

/** cost_model_init - what is said of the device */
void cost_model_init(struct cost_model *m, const struct device *dev);

/** cost_of_load - ns for so many packets of one kind, less what is fixed */
double cost_of_load(const struct cost_model *m, unsigned int kind,
		    const struct load *load);

/**
 * cost_learn_load - what a number of packets took
 * @m: the model
 * @kind: kind of packets
 * @load: how much of it
 * @ns: what that took, less what is fixed
 * @weight: how much it counts
 */
void cost_learn_load(struct cost_model *m, unsigned int kind,
		     const struct load *load, double ns, double weight);

#endif
