/* What the functions of every concern return: a value >= 0, or -errno. */
#ifndef CLINUX_STATUS_H
#define CLINUX_STATUS_H
#include <errno.h>
#include <stdint.h>
#include <sys/types.h>
#include <unistd.h>

static inline int32_t result(int value) { return value < 0 ? -errno : value; }
static inline int64_t result64(ssize_t value) { return value < 0 ? -(int64_t)errno : (int64_t)value; }

/* Closes a half-made descriptor and passes on the error that spoilt it. */
static inline int32_t give_up(int descriptor) {
    int error = errno;
    close(descriptor);
    return -error;
}
#endif
