/* Helpers for the return value of all functions: a value >= 0, or -errno. */
#ifndef CLINUX_STATUS_H
#define CLINUX_STATUS_H
#include <errno.h>
#include <stdint.h>
#include <sys/types.h>
#include <unistd.h>

static inline int32_t result(int value) { return value < 0 ? -errno : value; }
static inline int64_t result64(ssize_t value) { return value < 0 ? -(int64_t)errno : (int64_t)value; }

/* Closes a descriptor after a failed call, and returns the error of that call. */
static inline int32_t give_up(int descriptor) {
    int error = errno;
    close(descriptor);
    return -error;
}
#endif
