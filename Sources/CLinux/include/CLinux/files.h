#ifndef CLINUX_FILES_H
#define CLINUX_FILES_H
#include <stddef.h>
#include <stdbool.h>
#include <stdint.h>

/* Descriptors. */
int64_t clinux_read(int32_t descriptor, void *bytes, size_t byte_count);
/* Whether a read would return at once with something else than EAGAIN: bytes, the end or an error. */
bool clinux_has_input(int32_t descriptor);
bool clinux_is_terminal(int32_t descriptor);
int64_t clinux_write(int32_t descriptor, const void *bytes, size_t byte_count);
int64_t clinux_read_at(int32_t descriptor, void *bytes, size_t byte_count, uint64_t offset);
int64_t clinux_write_at(int32_t descriptor, const void *bytes, size_t byte_count, uint64_t offset);
int32_t clinux_flush_data(int32_t descriptor);
/* Makes later reads come from the medium. Writes dirty pages first, because the kernel cannot drop those. */
void clinux_drop_cache(int32_t descriptor);
int32_t clinux_close(int32_t descriptor);
int32_t clinux_open_read(const char *path);
int32_t clinux_create(const char *path);               /* truncates; mode 0600; non-blocking appends */
int32_t clinux_allocate_file(int32_t descriptor, uint64_t byte_count);
int32_t clinux_lock_file(int32_t descriptor);          /* -EWOULDBLOCK when another process holds it */
/* Makes path a symbolic link to target, replacing an earlier link (never a file). */
int32_t clinux_link(const char *target, const char *path);
int32_t clinux_unlink(const char *path);
/* Renames a file, on the medium when it returns. -EEXIST if the new name is taken. */
int32_t clinux_rename(const char *path, const char *new_path);

/* Whether something is at path: 1 or 0, or an error such as -EACCES. */
int32_t clinux_exists(const char *path);
/* Reads a file's first bytes, at most capacity; the file may be one of the kernel's. */
int64_t clinux_read_start(const char *path, void *bytes, size_t capacity);
/* Opens the kernel's messages (/dev/kmsg). Each read returns one of them, and -EAGAIN after the last. */
int32_t clinux_open_messages(const char *path);
typedef struct {
    uint64_t free_byte_count; /* for users without privileges */
    bool is_read_only;
} clinux_file_system;
/* The file system on which path is. */
int32_t clinux_file_system_of(const char *path, clinux_file_system *found);

/* A directory that is being read, without the allocation that opendir makes. */
typedef struct {
    int32_t descriptor;
    uint32_t position, end;
    uint64_t entries[128];
} clinux_directory;
int32_t clinux_open_directory(const char *path, clinux_directory *directory);
/* The next entry's name, without "." and ".."; null after the last, and then the directory is closed. */
const char *clinux_next_entry(clinux_directory *directory);

/* Opens a private file for reading. -EBADMSG if group or others have any access, or if it is not a regular
   file. */
int32_t clinux_open_private(const char *path, int64_t *byte_count);
/* Makes a private file atomically: it is complete on the medium, or absent. The older file of that name is
   then overwritten. */
int32_t clinux_make_private(const char *path, const void *bytes, size_t byte_count);
/* The same for a file that everybody may read. */
int32_t clinux_make_readable(const char *path, const void *bytes, size_t byte_count);
/* Gives a file to the owner of the folder in which it is. */
int32_t clinux_own_as_folder(const char *path);
#endif
