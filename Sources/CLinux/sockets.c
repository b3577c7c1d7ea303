#define _GNU_SOURCE
#include "CLinux/sockets.h"
#include "status.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

int32_t clinux_unix_connect(const char *path, int32_t is_sequenced_packets) {
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    if (strlen(path) >= sizeof address.sun_path) return -ENAMETOOLONG;
    strcpy(address.sun_path, path);
    int type = is_sequenced_packets ? SOCK_SEQPACKET : SOCK_STREAM;
    int descriptor = socket(AF_UNIX, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (descriptor < 0) return -errno;
    if (connect(descriptor, (struct sockaddr *)&address, sizeof address) < 0) return give_up(descriptor);
    return descriptor;
}
int32_t clinux_tcp_connect(const char *address, uint16_t port, int32_t timeout_milliseconds) {
    struct sockaddr_in v4 = { .sin_family = AF_INET, .sin_port = htons(port) };
    struct sockaddr_in6 v6 = { .sin6_family = AF_INET6, .sin6_port = htons(port) };
    int is_v4 = inet_pton(AF_INET, address, &v4.sin_addr) == 1;
    if (!is_v4 && inet_pton(AF_INET6, address, &v6.sin6_addr) != 1) return -EINVAL;
    int descriptor = socket(is_v4 ? AF_INET : AF_INET6, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (descriptor < 0) return -errno;
    int one = 1;
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    int status = is_v4 ? connect(descriptor, (struct sockaddr *)&v4, sizeof v4)
                       : connect(descriptor, (struct sockaddr *)&v6, sizeof v6);
    if (status < 0 && errno != EINPROGRESS) return give_up(descriptor);
    struct pollfd ready = { .fd = descriptor, .events = POLLOUT };
    int count = poll(&ready, 1, timeout_milliseconds);
    int error = count == 0 ? ETIMEDOUT : count < 0 ? errno : 0;
    socklen_t size = sizeof error;
    if (count > 0) getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &size);
    if (error) { errno = error; return give_up(descriptor); }
    return descriptor;
}
