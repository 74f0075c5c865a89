/* thread.h - threads of the library: signals are the main thread's business. */
#ifndef GPUT_BASE_THREAD_H
#define GPUT_BASE_THREAD_H

#include <pthread.h>
#include <stddef.h>

/* Starts a thread that takes no signals; `stack` is the size of its stack, 0: the usual one. */
int gput__thread_start(pthread_t *ret, size_t stack, void *(*run)(void *), void *arg);

/* A condition whose waits have deadlines of CLOCK_MONOTONIC. */
void gput__cond_init(pthread_cond_t *ret);

#endif
