#define _GNU_SOURCE
#include "CLinux/files.h"
#include "status.h"

#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>

static int write_synced(int descriptor, const void *bytes, size_t byte_count) {
    ssize_t written = write(descriptor, bytes, byte_count);
    if (written >= 0 && (size_t)written != byte_count) { errno = ENOSPC; written = -1; }
    return written < 0 ? -1 : fsync(descriptor);
}
// The name of the folder in which the file at path is.
static int name_directory(char directory[PATH_MAX], const char *path) {
    const char *slash = strrchr(path, '/');
    size_t length = slash ? (size_t)(slash - path) : 0;
    if (length >= PATH_MAX) { errno = ENAMETOOLONG; return -1; }
    memcpy(directory, path, length);
    directory[length] = 0;
    if (length == 0) strcpy(directory, slash ? "/" : ".");
    return 0;
}
static int sync_directory_of(const char *path) {
    char directory[PATH_MAX];
    if (name_directory(directory, path) < 0) return -1;
    int descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return -1;
    int status = fsync(descriptor), error = errno;
    close(descriptor);
    errno = error;
    return status;
}
// Overwrites a file with an obsolete secret. A medium that relocates blocks may keep a copy that no program
// can read.
static void overwrite(int descriptor) {
    static const char zeros[512];
    struct stat status;
    if (fstat(descriptor, &status) < 0 || !S_ISREG(status.st_mode)) return;
    for (off_t offset = 0; offset < status.st_size; offset += (off_t)sizeof zeros) {
        size_t count = status.st_size - offset < (off_t)sizeof zeros ? (size_t)(status.st_size - offset) : sizeof zeros;
        if (pwrite(descriptor, zeros, count, offset) < 0) break;
    }
    (void)fsync(descriptor);
}
// Removes a draft that was never finished.
static int discard(const char *path) {
    int descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
    if (descriptor >= 0) {
        overwrite(descriptor);
        (void)close(descriptor);
    }
    return unlink(path) < 0 && errno != ENOENT ? -1 : 0;
}

// The name under which the former contents of a file stay until they are overwritten.
static int name_former(char former[PATH_MAX], const char *path) {
    if (strlen(path) + sizeof ".former" > PATH_MAX) { errno = ENAMETOOLONG; return -1; }
    strcat(strcpy(former, path), ".former");
    return 0;
}
// Overwrites and removes former contents that a power cut left. Before the rename both names are of the
// present contents.
static int discard_former(const char *path) {
    char former[PATH_MAX];
    struct stat present, old;
    if (name_former(former, path) < 0) return -1;
    if (lstat(former, &old) < 0) return errno == ENOENT ? 0 : -1;
    bool is_present = lstat(path, &present) == 0 && present.st_ino == old.st_ino && present.st_dev == old.st_dev;
    return is_present ? unlink(former) : discard(former);
}

int32_t clinux_open_private(const char *path, int64_t *byte_count) {
    (void)discard_former(path);
    // Open without blocking, because the path may name anything, for example a pipe.
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat status;
    if (descriptor < 0) return -errno;
    if (fstat(descriptor, &status) < 0) return give_up(descriptor);
    if (!S_ISREG(status.st_mode) || status.st_mode & (S_IRWXG | S_IRWXO)) { errno = EBADMSG; return give_up(descriptor); }
    *byte_count = status.st_size;
    return descriptor;
}

static int32_t make_file(const char *path, const void *bytes, size_t byte_count, mode_t mode) {
    // The file has another name until it is complete, so a power cut leaves either nothing or all of it. The
    // former contents get another name, too: a power cut must not free their blocks before they are
    // overwritten.
    char draft[PATH_MAX], former[PATH_MAX];
    if (strlen(path) + sizeof ".new" > sizeof draft) return -ENAMETOOLONG;
    strcat(strcpy(draft, path), ".new");
    if (name_former(former, path) < 0 || discard(draft) < 0 || discard_former(path) < 0) return -errno;
    int descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (descriptor < 0) return -errno;
    if (fchmod(descriptor, mode) < 0 || write_synced(descriptor, bytes, byte_count) < 0) {
        int status = give_up(descriptor);
        (void)discard(draft);
        return status;
    }
    // A file system without hard links has only the descriptor.
    bool has_former = link(path, former) == 0;
    int old = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
    int status = close(descriptor) < 0 || rename(draft, path) < 0 || sync_directory_of(path) < 0 ? -errno : 0;
    if (old >= 0 && status == 0) overwrite(old);
    if (old >= 0) (void)close(old);
    if (has_former) (void)discard_former(path);
    return status;
}
int32_t clinux_make_private(const char *path, const void *bytes, size_t byte_count) {
    return make_file(path, bytes, byte_count, 0600);
}
int32_t clinux_make_readable(const char *path, const void *bytes, size_t byte_count) {
    return make_file(path, bytes, byte_count, 0644);
}
int32_t clinux_own_as_folder(const char *path) {
    char directory[PATH_MAX];
    struct stat status;
    if (name_directory(directory, path) < 0 || stat(directory, &status) < 0) return -errno;
    return result(chown(path, status.st_uid, status.st_gid));
}

int32_t clinux_rename(const char *path, const char *new_path) {
    if (syscall(SYS_renameat2, AT_FDCWD, path, AT_FDCWD, new_path, 1 /* RENAME_NOREPLACE */) < 0) {
        // A file system without that flag. Nobody else makes files of these names.
        if (errno != EINVAL) return -errno;
        if (access(new_path, F_OK) == 0) return -EEXIST;
        if (rename(path, new_path) < 0) return -errno;
    }
    return result(sync_directory_of(new_path));
}
