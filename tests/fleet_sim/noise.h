/* noise.h - random numbers that are the same for the same seed. */
#ifndef NOISE_H
#define NOISE_H

#include <stdint.h>

struct noise {
    uint64_t state;
    int is_heavy;
};

uint64_t noise_bits(struct noise *n); /* splitmix64 */
double noise_uniform(struct noise *n);
/* Around 0 with a scale of 1: normal, or of Student's t with so many degrees of freedom, 3 to 5: the
 * largest of ten thousand with 3 of them is 20 and more. */
double noise_draw(struct noise *n, int freedom);

#endif
