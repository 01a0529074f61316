// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <string.h>

#include "sched/cost.h"

/* Lengths of payloads that a calibration is anchored at. */
#define SHORT_LEN	64
#define LONG_LEN	1408

/* Numbers of packets that the host's part is. */
#define FEW		64
#define MANY		4096

/* What remains of an observation's weight at the next one: 64 count. */
#define FADE		(63.0 / 64)

static void fit(struct cost_line *l)
{
	double w = l->w + 2, x = l->wx, y = l->wy, xx = l->wxx, xy = l->wxy;

	for (int i = 0; i < 2; i++) {
		x += l->x[i];
		y += l->y[i];
		xx += l->x[i] * l->x[i];
		xy += l->x[i] * l->y[i];
	}
	/* The anchors are apart, so that this is never 0. */
	l->b = (w * xy - x * y) / (w * xx - x * x);
	l->a = (y - l->b * x) / w;
}

void cost_line_init(struct cost_line *l, double x0, double y0, double x1,
		    double y1)
{
	memset(l, 0, sizeof(*l));
	l->x[0] = x0;
	l->y[0] = y0;
	l->x[1] = x1;
	l->y[1] = y1;
	fit(l);
}

void cost_line_learn(struct cost_line *l, double x, double y, double weight)
{
	double expected = cost_line_at(l, x);

	if (y > 4 * expected)
		y = 4 * expected;
	if (y < expected / 4)
		y = expected / 4;
	l->w = l->w * FADE + weight;
	l->wx = l->wx * FADE + weight * x;
	l->wy = l->wy * FADE + weight * y;
	l->wxx = l->wxx * FADE + weight * x * x;
	l->wxy = l->wxy * FADE + weight * x * y;
	fit(l);
}

void cost_model_init(struct cost_model *m, const struct device *dev)
{
	struct backend_cost c = { 0 };

	for (unsigned int i = 0; i < ALG_KINDS; i++) {
		dev->ops->cost(dev, alg_of_kind(i), alg_op_of_kind(i),
			  alg_key_len_of_kind(i), &c);
		m->fixed[i] = c.fixed_ns;
		cost_line_init(&m->packet[i],
			       SHORT_LEN, c.packet_ns + SHORT_LEN * c.byte_ns,
			       LONG_LEN, c.packet_ns + LONG_LEN * c.byte_ns);
		cost_line_init(&m->delay[i], SHORT_LEN,
			       c.delay_ns + SHORT_LEN * c.delay_byte_ns,
			       LONG_LEN,
			       c.delay_ns + LONG_LEN * c.delay_byte_ns);
	}
	cost_line_init(&m->host, FEW, c.host_ns + FEW * c.host_packet_ns,
		       MANY, c.host_ns + MANY * c.host_packet_ns);
}

double cost_of_load(const struct cost_model *m, unsigned int kind,
		    const struct load *load)
{
	if (!load->nr)
		return 0;
	return load->nr * cost_line_at(&m->packet[kind],
				       (double)load->bytes / load->nr);
}

void cost_learn_load(struct cost_model *m, unsigned int kind,
		     const struct load *load, double ns, double weight)
{
	if (load->nr)
		cost_line_learn(&m->packet[kind],
				(double)load->bytes / load->nr, ns / load->nr,
				weight);
}
