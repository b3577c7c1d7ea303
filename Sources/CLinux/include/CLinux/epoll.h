#ifndef CLINUX_EPOLL_H
#define CLINUX_EPOLL_H
#include <stdint.h>

/* Readiness of descriptors, with one epoll instance. Each event returns the token of its descriptor. */
enum { CLINUX_READABLE = 1, CLINUX_WRITABLE = 2, CLINUX_HUNG_UP = 4 };
typedef struct { uint64_t token; uint32_t readiness; } clinux_ready;
int32_t clinux_epoll_create(void);
int32_t clinux_epoll_add(int32_t epoll, int32_t descriptor, uint32_t readiness, uint64_t token);
int32_t clinux_epoll_modify(int32_t epoll, int32_t descriptor, uint32_t readiness, uint64_t token);
int32_t clinux_epoll_remove(int32_t epoll, int32_t descriptor);
/* Waits at most timeout_nanoseconds (UINT64_MAX: for ever). Returns the number of entries filled in; 0 also
   after EINTR. */
int32_t clinux_epoll_wait(int32_t epoll, clinux_ready *ready, int32_t capacity, uint64_t timeout_nanoseconds);
#endif
