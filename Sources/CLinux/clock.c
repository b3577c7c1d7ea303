#define _GNU_SOURCE
#include "CLinux/clock.h"

#include <string.h>
#include <sys/timex.h>
#include <time.h>

static uint64_t clock_nanoseconds(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}
uint64_t clinux_monotonic_nanoseconds(void) { return clock_nanoseconds(CLOCK_BOOTTIME); }
uint64_t clinux_wall_clock_nanoseconds(void) { return clock_nanoseconds(CLOCK_REALTIME); }
int64_t clinux_wall_clock_error_milliseconds(void) {
    struct timex status;
    memset(&status, 0, sizeof status);
    if (adjtimex(&status) < 0 || status.status & STA_UNSYNC) return -1;
    return status.maxerror / 1000;
}
