/* fuzz.h - what libFuzzer and replay.c call. */
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* Tries one input; returns 0.  A fault is a crash, a sanitizer's finding or an abort(). */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
