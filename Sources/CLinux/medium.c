#define _GNU_SOURCE
#include "CLinux/medium.h"
#include "status.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <mtd/mtd-user.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

int32_t clinux_open_medium(const char *path) {
    // A file made in /dev would vanish at the next boot. O_EXCL refuses a block device that is mounted.
    int flags = strncmp(path, "/dev/", 5) == 0 ? O_EXCL : O_CREAT;
    return result(open(path, O_RDWR | O_CLOEXEC | flags, 0600));
}
int32_t clinux_describe_medium(int32_t descriptor, clinux_medium *medium) {
    struct stat status;
    struct mtd_info_user flash;
    memset(medium, 0, sizeof *medium);
    if (fstat(descriptor, &status) < 0) return -errno;
    if (S_ISREG(status.st_mode)) {
        medium->byte_count = (uint64_t)status.st_size;
    } else if (S_ISBLK(status.st_mode)) {
        if (ioctl(descriptor, BLKGETSIZE64, &medium->byte_count) < 0) return -errno;
    } else {
        if (!S_ISCHR(status.st_mode) || ioctl(descriptor, MEMGETINFO, &flash) < 0) return -ENODEV;
        medium->byte_count = flash.size;
        medium->erase_byte_count = flash.erasesize;
        medium->write_byte_count = flash.writesize;
    }
    return 0;
}
int32_t clinux_erase_flash(int32_t descriptor, uint64_t offset, uint64_t byte_count) {
    struct erase_info_user64 range = { .start = offset, .length = byte_count };
    return result(ioctl(descriptor, MEMERASE64, &range));
}
