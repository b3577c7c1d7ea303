/* Output of the measured programs: lines of name and number. No stdio, because it would bring in an
   allocator. */
#ifndef FIGURES_H
#define FIGURES_H

#include <stdint.h>
#include <string.h>
#include <time.h>

#include "CLinux.h"

static inline uint64_t processor_nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static inline void print(const char *name, uint64_t value) {
    char line[64], *at = line + sizeof line;
    *--at = '\n';
    do *--at = (char)('0' + value % 10); while (value /= 10);
    *--at = ' ';
    at -= strlen(name);
    memcpy(at, name, strlen(name));
    clinux_write(1, at, (size_t)(line + sizeof line - at));
}

#endif
