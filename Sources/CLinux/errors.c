#include "CLinux/errors.h"

#include <errno.h>

/* The numbers that the agent may meet. The C library's own table takes 2 KB of the image. */
const char *clinux_error_text(int32_t errno_value) {
    switch (errno_value) {
    case EPERM: return "Operation not permitted";
    case ENOENT: return "No such file or directory";
    case EIO: return "I/O error";
    case ENXIO: return "No such device or address";
    case EBADF: return "Bad file descriptor";
    case EAGAIN: return "Resource temporarily unavailable";
    case ENOMEM: return "Out of memory";
    case EACCES: return "Permission denied";
    case EBUSY: return "Resource busy";
    case EEXIST: return "File exists";
    case ENODEV: return "No such device";
    case ENOTDIR: return "Not a directory";
    case EISDIR: return "Is a directory";
    case EINVAL: return "Invalid argument";
    case EMFILE: return "Too many open files";
    case ENOTTY: return "Not a tty";
    case EFBIG: return "File too large";
    case ENOSPC: return "No space left on device";
    case EROFS: return "Read-only file system";
    case EPIPE: return "Broken pipe";
    case ELOOP: return "Symbolic link loop";
    case ENAMETOOLONG: return "Filename too long";
    case EBADMSG: return "Bad message";
    case EUSERS: return "Too many users";
    case EOPNOTSUPP: return "Not supported";
    case EAFNOSUPPORT: return "Address family not supported";
    case EADDRNOTAVAIL: return "Address not available";
    case ENETUNREACH: return "Network unreachable";
    case EHOSTUNREACH: return "Host is unreachable";
    case ECONNRESET: return "Connection reset by peer";
    case ETIMEDOUT: return "Operation timed out";
    case ECONNREFUSED: return "Connection refused";
    case ERFKILL: return "Operation not possible due to RF-kill";
    default: return 0;
    }
}

_Static_assert(
    CLINUX_EPERM == EPERM && CLINUX_ENOENT == ENOENT && CLINUX_EIO == EIO && CLINUX_EAGAIN == EAGAIN
        && CLINUX_ENOMEM == ENOMEM && CLINUX_EACCES == EACCES && CLINUX_EBUSY == EBUSY && CLINUX_EEXIST == EEXIST
        && CLINUX_ENODEV == ENODEV && CLINUX_EINVAL == EINVAL && CLINUX_EFBIG == EFBIG && CLINUX_ENOSPC == ENOSPC
        && CLINUX_EPIPE == EPIPE && CLINUX_EUSERS == EUSERS && CLINUX_EAFNOSUPPORT == EAFNOSUPPORT && CLINUX_ETIMEDOUT == ETIMEDOUT
        && CLINUX_ECONNREFUSED == ECONNREFUSED && CLINUX_ERFKILL == ERFKILL,
    "the numbers in CLinux/errors.h are the system's");
