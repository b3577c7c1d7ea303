#ifndef CLINUX_CLOCK_H
#define CLINUX_CLOCK_H
#include <stdint.h>

/* Time, in nanoseconds. The monotonic clock includes suspend (CLOCK_BOOTTIME). */
uint64_t clinux_monotonic_nanoseconds(void);
uint64_t clinux_wall_clock_nanoseconds(void);
/* The kernel's bound for the error of its wall clock, in milliseconds; -1 while nothing disciplines it. */
int64_t clinux_wall_clock_error_milliseconds(void);
#endif
