/* history.c - the figures of a run over time, as far as a viewer has seen them. */
#include "top/history.h"

#include <math.h>
#include <string.h>

static bool is_counter(int series)
{
    return series >= TOP_DISK_READ && series <= TOP_NET_SENT;
}

static void read_values(const struct gput_view *v, double ret[TOP_N_SERIES])
{
    ret[TOP_RAM] = v->live.ram;
    ret[TOP_CPU] = v->live.cpu_percent;
    ret[TOP_GPU_USE] = v->live.gpu_percent;
    ret[TOP_GPU_RAM] = v->live.gpu_ram;
    ret[TOP_DISK_READ] = v->disk_read;
    ret[TOP_DISK_WRITE] = v->disk_written;
    ret[TOP_NET_RECEIVED] = v->net_received;
    ret[TOP_NET_SENT] = v->net_sent;
}

/* The older half has half as many moments then. */
static void thin(struct top_history *h)
{
    size_t half = TOP_HISTORY / 2, quarter = half / 2;

    for (int s = -1; s < TOP_N_SERIES; s++) {
        double *list = s < 0 ? h->time : h->value[s];

        for (size_t i = 0; i < quarter; i++)
            list[i] = list[2 * i + 1];
        memmove(list + quarter, list + half, (TOP_HISTORY - half) * sizeof(*list));
    }
    h->n -= half - quarter;
}

void top_history_add(struct top_history *h, const struct gput_view *v)
{
    double values[TOP_N_SERIES], before = h->n ? h->time[h->n - 1] : NAN;
    bool is_first = h->n == 0;

    if (!is_first && !(v->live.elapsed > before))
        return;
    if (h->n == TOP_HISTORY)
        thin(h);
    read_values(v, values);
    h->time[h->n] = v->live.elapsed;
    for (int s = 0; s < TOP_N_SERIES; s++) {
        double value = values[s];

        if (is_counter(s)) {
            value = is_first ? NAN : (value - h->counted[s]) / (v->live.elapsed - before);
            h->counted[s] = values[s];
        }
        h->value[s][h->n] = value;
        h->is_known[s] |= !isnan(value);
    }
    h->n++;
}
