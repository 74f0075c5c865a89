/* noise.c - random numbers that are the same for the same seed. */
#include "noise.h"

#include <math.h>

uint64_t noise_bits(struct noise *n)
{
    uint64_t z = n->state += UINT64_C(0x9E3779B97F4A7C15);

    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

double noise_uniform(struct noise *n)
{
    return ((double)(noise_bits(n) >> 11) + 0.5) * 0x1p-53;
}

static double normal(struct noise *n)
{
    double radius = sqrt(-2 * log(noise_uniform(n)));

    return radius * cos(2 * M_PI * noise_uniform(n));
}

double noise_draw(struct noise *n, int freedom)
{
    double z = normal(n), sum = 0;

    if (!n->is_heavy)
        return z;
    for (int i = 0; i < freedom; i++) {
        double a = normal(n);

        sum += a * a;
    }
    return z / sqrt(sum / freedom);
}
