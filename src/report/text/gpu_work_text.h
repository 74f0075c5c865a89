/* gpu_work_text.h - what a GPU really did, as lines of a result. */
#ifndef GPUT_REPORT_GPU_WORK_TEXT_H
#define GPUT_REPORT_GPU_WORK_TEXT_H

#include "base/buf.h"
#include "gput.h"

/* A line for each figure that is known, indented by so many columns, and one for each reason why others
 * are not. */
void gput__gpu_work_text(struct gput__buf *out, int indent, const struct gput_gpu_work *work);

#endif
