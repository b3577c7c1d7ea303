#define _GNU_SOURCE
#include "CLinux/files.h"
#include "status.h"

#include <fcntl.h>
#include <sys/file.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>

int64_t clinux_read(int32_t descriptor, void *bytes, size_t byte_count) {
    return result64(read(descriptor, bytes, byte_count));
}
bool clinux_has_input(int32_t descriptor) {
    struct pollfd input = { .fd = descriptor, .events = POLLIN };
    return poll(&input, 1, 0) > 0;
}
bool clinux_is_terminal(int32_t descriptor) { return isatty(descriptor) == 1; }
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

int32_t clinux_exists(const char *path) {
    if (access(path, F_OK) == 0) return 1;
    return errno == ENOENT || errno == ENOTDIR ? 0 : -errno;
}
int64_t clinux_read_start(const char *path, void *bytes, size_t capacity) {
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return -errno;
    size_t count = 0;
    while (count < capacity) {
        ssize_t length = read(descriptor, (char *)bytes + count, capacity - count);
        if (length < 0) return give_up(descriptor);
        if (length == 0) break;
        count += (size_t)length;
    }
    close(descriptor);
    return (int64_t)count;
}
int32_t clinux_open_messages(const char *path) { return result(open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)); }
int32_t clinux_file_system_of(const char *path, clinux_file_system *found) {
    struct statvfs status;
    if (statvfs(path, &status) < 0) return -errno;
    found->free_byte_count = (uint64_t)status.f_bavail * status.f_frsize;
    found->is_read_only = (status.f_flag & ST_RDONLY) != 0;
    return 0;
}

/* The kernel's record of a directory entry (getdents64); the name follows. */
struct entry_header {
    uint64_t inode;
    int64_t offset;
    uint16_t length;
    uint8_t type;
} __attribute__((packed));

int32_t clinux_open_directory(const char *path, clinux_directory *directory) {
    directory->position = directory->end = 0;
    directory->descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return directory->descriptor < 0 ? -errno : 0;
}
const char *clinux_next_entry(clinux_directory *directory) {
    while (directory->descriptor >= 0) {
        if (directory->position == directory->end) {
            long count = syscall(SYS_getdents64, directory->descriptor, directory->entries, sizeof directory->entries);
            directory->position = 0;
            directory->end = count > 0 ? (uint32_t)count : 0;
            if (count <= 0) break;
        }
        char *bytes = (char *)directory->entries + directory->position;
        struct entry_header header;
        memcpy(&header, bytes, sizeof header);
        directory->position += header.length;
        const char *name = bytes + sizeof header;
        if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0) return name;
    }
    if (directory->descriptor >= 0) close(directory->descriptor);
    directory->descriptor = -1;
    return 0;
}
