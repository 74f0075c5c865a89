/* fail.h - makes the nth call of a kind fail, once; the linker's --wrap puts it in the calls' place.
 *
 *     fail_nth(FAIL_MEMORY, 3);
 *     r = something();
 *     if (fail_seen() < 3) ...    it needs fewer */
#ifndef FAIL_H
#define FAIL_H

enum fail_kind {
    FAIL_NOTHING,
    FAIL_MEMORY,  /* malloc() and what is like it: ENOMEM */
    FAIL_THREADS, /* pthread_create(): EAGAIN */
    FAIL_OPENING, /* open(), openat(), fdopendir(): EMFILE */
    FAIL_READING, /* read(), pread(): EIO */
    FAIL_WRITING, /* write(), fsync(), ftruncate(), rename(): ENOSPC */
};

/* From here on; the count begins anew. */
void fail_nth(enum fail_kind kind, unsigned n);
/* How many calls of the kind there were since. */
unsigned fail_seen(void);

#endif
