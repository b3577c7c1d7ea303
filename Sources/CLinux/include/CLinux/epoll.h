#ifndef CLINUX_EPOLL_H
#define CLINUX_EPOLL_H
#include <stdint.h>

/* Readiness. One epoll instance; token comes back with each event. */
enum { CLINUX_READABLE = 1, CLINUX_WRITABLE = 2, CLINUX_HUNG_UP = 4 };
typedef struct { uint64_t token; uint32_t readiness; } clinux_ready;
int32_t clinux_epoll_create(void);
int32_t clinux_epoll_add(int32_t epoll, int32_t descriptor, uint32_t readiness, uint64_t token);
int32_t clinux_epoll_modify(int32_t epoll, int32_t descriptor, uint32_t readiness, uint64_t token);
int32_t clinux_epoll_remove(int32_t epoll, int32_t descriptor);
/* Waits at most timeout_nanoseconds (UINT64_MAX: for ever); returns the count of entries filled in.
   EINTR is 0. */
int32_t clinux_epoll_wait(int32_t epoll, clinux_ready *ready, int32_t capacity, uint64_t timeout_nanoseconds);
#endif
