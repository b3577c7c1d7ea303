#define _GNU_SOURCE
#include "CLinux/files.h"
#include "status.h"

#include <fcntl.h>
#include <sys/file.h>
#include <poll.h>
#include <sys/stat.h>

int64_t clinux_read(int32_t descriptor, void *bytes, size_t byte_count) {
    return result64(read(descriptor, bytes, byte_count));
}
bool clinux_has_input(int32_t descriptor) {
    struct pollfd input = { .fd = descriptor, .events = POLLIN };
    return poll(&input, 1, 0) > 0;
}
int64_t clinux_write(int32_t descriptor, const void *bytes, size_t byte_count) {
    return result64(write(descriptor, bytes, byte_count));
}
int64_t clinux_read_at(int32_t descriptor, void *bytes, size_t byte_count, uint64_t offset) {
    return result64(pread(descriptor, bytes, byte_count, (off_t)offset));
}
int64_t clinux_write_at(int32_t descriptor, const void *bytes, size_t byte_count, uint64_t offset) {
    return result64(pwrite(descriptor, bytes, byte_count, (off_t)offset));
}
int32_t clinux_flush_data(int32_t descriptor) { return result(fdatasync(descriptor)); }
void clinux_drop_cache(int32_t descriptor) {
    (void)fdatasync(descriptor);
    (void)posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED);
}
int32_t clinux_close(int32_t descriptor) { return result(close(descriptor)); }
int32_t clinux_open_read(const char *path) { return result(open(path, O_RDONLY | O_CLOEXEC)); }
int32_t clinux_create(const char *path) {
    return result(open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
}
int32_t clinux_allocate_file(int32_t descriptor, uint64_t byte_count) {
    return -posix_fallocate(descriptor, 0, (off_t)byte_count);
}
int32_t clinux_lock_file(int32_t descriptor) { return result(flock(descriptor, LOCK_EX | LOCK_NB)); }
int32_t clinux_link(const char *target, const char *path) {
    struct stat status;
    if (lstat(path, &status) == 0) {
        if (!S_ISLNK(status.st_mode)) return -EEXIST;
        if (unlink(path) < 0) return -errno;
    }
    return result(symlink(target, path));
}
int32_t clinux_unlink(const char *path) { return result(unlink(path)); }
