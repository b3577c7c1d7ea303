#define _GNU_SOURCE
#include "CLinux/errors.h"

#include <errno.h>
#include <string.h>

const char *clinux_error_text(int32_t errno_value) { return strerror(errno_value); }

_Static_assert(
    CLINUX_EPERM == EPERM && CLINUX_ENOENT == ENOENT && CLINUX_EIO == EIO && CLINUX_EAGAIN == EAGAIN
        && CLINUX_ENOMEM == ENOMEM && CLINUX_EACCES == EACCES && CLINUX_EBUSY == EBUSY && CLINUX_EEXIST == EEXIST
        && CLINUX_ENODEV == ENODEV && CLINUX_EINVAL == EINVAL && CLINUX_EFBIG == EFBIG && CLINUX_ENOSPC == ENOSPC
        && CLINUX_EPIPE == EPIPE && CLINUX_EUSERS == EUSERS && CLINUX_EAFNOSUPPORT == EAFNOSUPPORT && CLINUX_ETIMEDOUT == ETIMEDOUT
        && CLINUX_ECONNREFUSED == ECONNREFUSED && CLINUX_ERFKILL == ERFKILL,
    "the numbers in CLinux/errors.h are the system's");
