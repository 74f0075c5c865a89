/* zlib.h - in the place of zlib's where a build must do without it: nothing can be unpacked.
 *
 * gzip files are refused when inflateInit2() fails. */
#ifndef WITHOUT_ZLIB_H
#define WITHOUT_ZLIB_H

typedef unsigned int uInt;

typedef struct {
    unsigned char *next_in, *next_out;
    uInt avail_in, avail_out;
} z_stream;

enum { Z_OK = 0, Z_STREAM_END = 1, Z_NO_FLUSH = 0, Z_ERRNO = -1, Z_BUF_ERROR = -5 };

#define inflateInit2(z, bits) ((void)(z), Z_ERRNO)
#define inflateReset(z) ((void)(z), Z_ERRNO)
#define inflate(z, flush) ((void)(z), Z_ERRNO)
#define inflateEnd(z) ((void)(z))

#endif
