/* drm_card.h - the graphics cards that the kernel shows in /sys/class/drm, and their files. */
#ifndef GPUT_SOURCE_DRM_CARD_H
#define GPUT_SOURCE_DRM_CARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/root.h"
#include "source/gpu/gpu.h"

struct gput__drm_card {
    const struct gput__root *sys; /* borrowed */
    char path[40];                /* class/drm/card0 */
    char hwmon[96];               /* class/drm/card0/device/hwmon/hwmon3; "": none */
    char pci[24];                 /* 0000:03:00.0; "" if unknown */
    char driver[24];              /* "" if unknown */
    unsigned number, device_id;
};

/* All cards of a vendor that one of `drivers` (ended by NULL) serves, by their number; free() the
 * list.  -ENODEV: none, with what was searched for in `ret_why`; so for other errors. */
int gput__drm_cards_find(const struct gput__root *sys, unsigned vendor, const char *const *drivers,
                         struct gput__drm_card **ret, unsigned *ret_n, char *ret_why, size_t cap);

/* The cards of a back end. */
struct gput__drm_gpus {
    const struct gput__root *proc, *sys; /* borrowed */
    bool check_major;
    unsigned n;
    void *cards; /* structs of the back end's own, each beginning with its gput__drm_card */
    size_t size; /* of one of them */
};

/* Finds them, in structs of `size` that are zero behind the card.  Errors as above, or -ENOMEM. */
int gput__drm_gpus_open(const struct gput__gpu_config *config, unsigned vendor,
                        const char *const *drivers, size_t size, struct gput__drm_gpus **ret,
                        char *ret_why, size_t cap);
/* Functions of a struct gput__gpu_ops. */
unsigned gput__drm_gpus_count(const void *gpus);
int gput__drm_gpus_energy(void *gpus, unsigned i, double *ret_joules);
void gput__drm_gpus_close(void *gpus);

/* A file below the card's folder, without its newline.  -ENODATA: it is empty. */
int gput__drm_card_text(const struct gput__drm_card *c, const char *file, char *ret, size_t cap);
/* A count.  -ENODATA: no number, or all ones, which is a driver's "not available". */
int gput__drm_card_number(const struct gput__drm_card *c, const char *file, uint64_t *ret);

/* A sensor of which the kernel shows `scale` times the value.  -ENOENT: there is none; -ENODATA: it
 * shows 0xFFFF or more of its unit, which is firmware's "not available", or there is no hwmon. */
int gput__drm_card_sensor(const struct gput__drm_card *c, const char *file, double scale,
                          double *ret);

/* Of the chip, in degrees Celsius; errors as above. */
int gput__drm_card_temperature(const struct gput__drm_card *c, double *ret);

/* The device's energy counter, joules since some moment.  -ENOTSUP: it has none. */
int gput__drm_card_energy(const struct gput__drm_card *c, double *ret);

/* Powered down: asking its sensors would wake it. */
bool gput__drm_card_asleep(const struct gput__drm_card *c);
/* Its folder has gone: unplugged, or the driver was unbound. */
bool gput__drm_card_gone(const struct gput__drm_card *c);

#endif
