#define _GNU_SOURCE
#include "CLinux/epoll.h"
#include "status.h"

#include <limits.h>
#include <sys/epoll.h>

static uint32_t epoll_bits(uint32_t readiness) {
    return (readiness & CLINUX_READABLE ? EPOLLIN : 0) | (readiness & CLINUX_WRITABLE ? EPOLLOUT : 0);
}
static int32_t epoll_change(int32_t epoll, int operation, int32_t descriptor, uint32_t readiness, uint64_t token) {
    struct epoll_event event = { .events = epoll_bits(readiness), .data.u64 = token };
    return result(epoll_ctl(epoll, operation, descriptor, &event));
}
int32_t clinux_epoll_create(void) { return result(epoll_create1(EPOLL_CLOEXEC)); }
int32_t clinux_epoll_add(int32_t epoll, int32_t descriptor, uint32_t readiness, uint64_t token) {
    return epoll_change(epoll, EPOLL_CTL_ADD, descriptor, readiness, token);
}
int32_t clinux_epoll_modify(int32_t epoll, int32_t descriptor, uint32_t readiness, uint64_t token) {
    return epoll_change(epoll, EPOLL_CTL_MOD, descriptor, readiness, token);
}
int32_t clinux_epoll_remove(int32_t epoll, int32_t descriptor) {
    return epoll_change(epoll, EPOLL_CTL_DEL, descriptor, 0, 0);
}
int32_t clinux_epoll_wait(int32_t epoll, clinux_ready *ready, int32_t capacity, uint64_t timeout_nanoseconds) {
    struct epoll_event events[16];
    if (capacity > 16) capacity = 16;
    // Rounded up: waking a little late is harmless, waking early would spin.
    uint64_t milliseconds = timeout_nanoseconds == UINT64_MAX ? UINT64_MAX : (timeout_nanoseconds + 999999u) / 1000000u;
    int timeout = timeout_nanoseconds == UINT64_MAX ? -1 : milliseconds > INT_MAX ? INT_MAX : (int)milliseconds;
    int count = epoll_wait(epoll, events, capacity, timeout);
    if (count < 0) return errno == EINTR ? 0 : -errno;
    for (int i = 0; i < count; i++) {
        uint32_t bits = events[i].events;
        ready[i].token = events[i].data.u64;
        ready[i].readiness = (bits & EPOLLIN ? CLINUX_READABLE : 0) | (bits & EPOLLOUT ? CLINUX_WRITABLE : 0)
            | (bits & (EPOLLHUP | EPOLLERR | EPOLLRDHUP) ? CLINUX_HUNG_UP : 0);
    }
    return count;
}
