#define _GNU_SOURCE
#include "CLinux/service.h"
#include "status.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

/* The address of a path; "@" at its start stands for the abstract namespace. Returns its length, or 0. */
static socklen_t unix_address(struct sockaddr_un *address, const char *path) {
    size_t length = strlen(path);
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    if (length == 0 || length >= sizeof address->sun_path) return 0;
    memcpy(address->sun_path, path, length);
    if (path[0] == '@') address->sun_path[0] = 0;
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length);
}

void clinux_notify(const void *text, size_t byte_count) {
    struct sockaddr_un address;
    const char *path = getenv("NOTIFY_SOCKET");
    socklen_t length = path ? unix_address(&address, path) : 0;
    if (length == 0) return;
    int descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (descriptor < 0) return;
    (void)sendto(descriptor, text, byte_count, MSG_NOSIGNAL, (struct sockaddr *)&address, length);
    close(descriptor);
}
bool clinux_writes_to_journal(void) { return getenv("JOURNAL_STREAM") != NULL; }

static struct sockaddr_un asker;
static socklen_t asker_length;

int32_t clinux_service_socket(const char *name, uint32_t permissions) {
    const char *folder = getenv("RUNTIME_DIRECTORY");
    struct sockaddr_un address;
    char path[sizeof address.sun_path];
    if (!folder || strlen(folder) + 1 + strlen(name) >= sizeof path) return -ENOENT;
    strcpy(path, folder);
    strcat(path, "/");
    strcat(path, name);
    socklen_t length = unix_address(&address, path);
    int descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (descriptor < 0) return -errno;
    (void)unlink(path);
    /* The socket never has more permissions than asked for, not even before chmod. */
    mode_t mask = umask(0777);
    int bound = bind(descriptor, (struct sockaddr *)&address, length);
    int error = errno;
    umask(mask);
    errno = error;
    if (bound < 0 || chmod(path, permissions) < 0) return give_up(descriptor);
    return descriptor;
}
int64_t clinux_take_question(int32_t socket, void *bytes, size_t capacity) {
    asker_length = sizeof asker;
    return result64(recvfrom(socket, bytes, capacity, 0, (struct sockaddr *)&asker, &asker_length));
}
void clinux_answer(int32_t socket, const void *bytes, size_t byte_count) {
    (void)sendto(socket, bytes, byte_count, MSG_NOSIGNAL, (struct sockaddr *)&asker, asker_length);
}

int32_t clinux_begin_question(const char *path, const void *bytes, size_t byte_count) {
    struct sockaddr_un address, own = { .sun_family = AF_UNIX };
    socklen_t length = unix_address(&address, path);
    if (length == 0) return -ENAMETOOLONG;
    int descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (descriptor < 0) return -errno;
    /* Without a name of its own the socket could get no answer. The kernel chooses one. */
    if (bind(descriptor, (struct sockaddr *)&own, sizeof own.sun_family) < 0
        || connect(descriptor, (struct sockaddr *)&address, length) < 0
        || send(descriptor, bytes, byte_count, MSG_NOSIGNAL) < 0)
        return give_up(descriptor);
    return descriptor;
}
int64_t clinux_take_answer(int32_t socket, void *answer, size_t capacity) {
    return result64(recv(socket, answer, capacity, 0));
}
int64_t clinux_ask(const char *path, const void *bytes, size_t byte_count, void *answer, size_t capacity,
    int32_t timeout_milliseconds) {
    int32_t descriptor = clinux_begin_question(path, bytes, byte_count);
    if (descriptor < 0) return descriptor;
    struct pollfd ready = { .fd = descriptor, .events = POLLIN };
    int count = poll(&ready, 1, timeout_milliseconds);
    if (count == 0) errno = ETIMEDOUT;
    if (count <= 0) return give_up(descriptor);
    int64_t length = clinux_take_answer(descriptor, answer, capacity);
    close(descriptor);
    return length;
}
