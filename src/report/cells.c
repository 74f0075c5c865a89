/* cells.c - the value of one row of a result. */
#include "report/cells.h"

#include "model/unit.h"

static const void *at(struct gput__cell c)
{
    return (const char *)c.base + c.row->offset;
}

const struct gput_figure *gput__cell_figure(struct gput__cell c)
{
    return at(c);
}

double gput__cell_value(struct gput__cell c)
{
    double v = gput__cell_figure(c)->value;

    if (c.row->kind == GPUT__ROW_RAM)
        return v / gput__unit_of_memory(c.u->ram_unit)->size;
    if (c.row->kind == GPUT__ROW_GPU_RAM)
        return v / gput__unit_of_memory(c.u->gpu_ram_unit)->size;
    if (c.row->kind == GPUT__ROW_TIME)
        return v / gput__unit_of_time(c.u->time_unit)->size;
    return v;
}

bool gput__cell_applies(struct gput__cell c)
{
    return !(c.row->kind == GPUT__ROW_SOME && gput__cell_long(c) == 0) &&
           !(c.row->kind == GPUT__ROW_EXIT && c.u->job.ending != GPUT_EXITED) &&
           !(c.row->kind == GPUT__ROW_SIGNAL && c.u->job.ending != GPUT_SIGNALED);
}

long gput__cell_long(struct gput__cell c)
{
    return c.row->kind == GPUT__ROW_PID ? *(const pid_t *)at(c) : *(const int *)at(c);
}

const char *gput__cell_words(struct gput__cell c)
{
    if (c.row->kind == GPUT__ROW_ENDING)
        return gput__ending_name(c.u->job.ending);
    if (c.row->kind == GPUT__ROW_OOM)
        return gput__oom_name(c.u->job.oom);
    return *(const char *const *)at(c);
}
