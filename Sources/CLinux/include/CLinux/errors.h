#ifndef CLINUX_ERRORS_H
#define CLINUX_ERRORS_H
#include <stdint.h>

const char *clinux_error_text(int32_t errno_value);    /* static storage; null if it has no name here */

/* The few error numbers with messages of their own. */
enum {
    CLINUX_EPERM = 1, CLINUX_ENOENT = 2, CLINUX_EIO = 5, CLINUX_EAGAIN = 11, CLINUX_ENOMEM = 12,
    CLINUX_EACCES = 13, CLINUX_EBUSY = 16, CLINUX_EEXIST = 17, CLINUX_ENODEV = 19, CLINUX_EINVAL = 22,
    CLINUX_EFBIG = 27, CLINUX_ENOSPC = 28, CLINUX_EPIPE = 32, CLINUX_ENAMETOOLONG = 36, CLINUX_EBADMSG = 74, CLINUX_EUSERS = 87, CLINUX_EAFNOSUPPORT = 97, CLINUX_ETIMEDOUT = 110, CLINUX_ECONNREFUSED = 111,
    CLINUX_ERFKILL = 132
};
#endif
