/* gpu_read.h - what is asked of a GPU driver; gpu_device.c keeps the answers.
 *
 * All of it is for the thread of gpus.c, with the lock held. */
#ifndef GPUT_SAMPLE_GPU_READ_H
#define GPUT_SAMPLE_GPU_READ_H

#include "sample/gpu/gpus.h"

/* The lock is let go while the driver is asked: other threads may read it meanwhile. */
void gput__gpus_unlock_for_call(struct gput__gpus *g);
void gput__gpus_lock_after_call(struct gput__gpus *g);

/* Memory of the devices and, where it moved, their processes; at records more.  True: something
 * moved. */
bool gput__gpus_read(struct gput__gpus *g, bool is_record);

/* The expensive ones: the driver's own history, the use of each process, what the devices really did
 * since the last call, energy at the start or now. */
void gput__gpus_read_history(struct gput__gpus *g);
void gput__gpus_read_uses(struct gput__gpus *g);
void gput__gpus_read_work(struct gput__gpus *g);
/* What the driver counts on and on, of enum gput__gpu_counts_of; an error that it reported is told. */
void gput__gpus_read_counts(struct gput__gpus *g, unsigned which, bool first);
void gput__gpus_read_energy(struct gput__gpus *g, bool first);

#endif
