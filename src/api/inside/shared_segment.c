/* shared_segment.c - the shared snapshot as a System V segment: for programs that may write small files only,
 * as the memory behind a descriptor is a file to the kernel. */
#include <errno.h>
#include <sys/shm.h>

#include "api/inside/shared_snapshot.h"

/* Marked for removal at once: it goes with the last process that has it, whatever happens to us, and
 * can be attached by its number until then. */
int gput__shared_create_segment(size_t series_size, struct gput__shared **ret_shared, int *ret_id)
{
    size_t size = gput__shared_size(series_size);
    int id = shmget(IPC_PRIVATE, size, IPC_CREAT | SHM_NORESERVE | 0600);
    void *p;

    if (id < 0)
        return -errno;
    p = shmat(id, NULL, 0);
    (void)shmctl(id, IPC_RMID, NULL);
    if (p == (void *)-1)
        return -errno;
    *ret_shared = p;
    (*ret_shared)->size = size;
    *ret_id = id;
    return 0;
}

void gput__shared_protect_segment(struct gput__shared *b, int id)
{
    (void)shmat(id, b, SHM_RDONLY | SHM_REMAP);
}

int gput__shared_attach(int id, struct gput__shared **ret_shared, size_t *ret_size)
{
    struct shmid_ds ds;
    struct gput__shared *b;

    if (shmctl(id, IPC_STAT, &ds) < 0)
        return -errno;
    if (ds.shm_segsz < sizeof(*b))
        return -EPROTO;
    b = shmat(id, NULL, 0);
    if (b == (void *)-1)
        return -errno;
    if (b->size != ds.shm_segsz) {
        (void)shmdt(b);
        return -EPROTO;
    }
    *ret_shared = b;
    *ret_size = ds.shm_segsz;
    return 0;
}
