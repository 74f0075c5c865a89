/* input.h - the bytes of a file from front to back, unpacked where they are gzip. */
#ifndef GPUT_BASE_INPUT_H
#define GPUT_BASE_INPUT_H

#include <stddef.h>
#include <sys/types.h>

struct gput__inflate;

struct gput__input {
    int fd;                        /* -1: there is nothing but what is in `data` */
    struct gput__inflate *inflate; /* NULL: as they are */
    char *data;                    /* data[begin..end) is read and not taken yet */
    size_t begin, end;
};
#define GPUT__INPUT_INIT ((struct gput__input){ .fd = -1 })

/* -EISDIR: a folder; -ENOSYS: gzip, and this build cannot unpack it; or the errno of opening. */
int gput__input_open(const char *path, struct gput__input *ret);
/* The descriptor becomes the input's, on failure too. */
int gput__input_open_fd(int fd, struct gput__input *ret);

/* Sees that data[begin..end) is not empty.  1, or 0: the file ends here.  -EILSEQ: the gzip data is
 * damaged or cut off. */
int gput__input_fill(struct gput__input *in);
/* The first bytes that are not taken yet, as many as fit in a piece of at least 64 KiB and are there;
 * *ret_n of them.  They stay. */
int gput__input_peek(struct gput__input *in, const char **ret, size_t *ret_n);
/* Takes up to `n` bytes; 0: the end. */
ssize_t gput__input_read(struct gput__input *in, char *buf, size_t n);
void gput__input_close(struct gput__input *in);

#endif
