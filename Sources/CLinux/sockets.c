#define _GNU_SOURCE
#include "CLinux/sockets.h"
#include "status.h"

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

/* Reads four decimal numbers with dots between them. The configuration accepts no other address, and the
   library's function also reads IPv6, which takes 1 kB of the board's image. */
static int read_ipv4(const char *text, unsigned char bytes[4]) {
    for (int i = 0; i < 4; i++) {
        unsigned value = 0;
        const char *start = text;
        while (*text >= '0' && *text <= '9' && text - start < 3) value = value * 10 + (unsigned)(*text++ - '0');
        if (text == start || value > 255 || *text++ != (i < 3 ? '.' : 0)) return 0;
        bytes[i] = (unsigned char)value;
    }
    return 1;
}

int32_t clinux_tcp_connect(const char *address, uint16_t port, int32_t timeout_milliseconds) {
    struct sockaddr_in peer = { .sin_family = AF_INET, .sin_port = htons(port) };
    if (!read_ipv4(address, (unsigned char *)&peer.sin_addr)) return -EINVAL;
    int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (descriptor < 0) return -errno;
    int one = 1;
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    int status = connect(descriptor, (struct sockaddr *)&peer, sizeof peer);
    if (status < 0 && errno != EINPROGRESS) return give_up(descriptor);
    struct pollfd ready = { .fd = descriptor, .events = POLLOUT };
    int count = poll(&ready, 1, timeout_milliseconds);
    int error = count == 0 ? ETIMEDOUT : count < 0 ? errno : 0;
    socklen_t size = sizeof error;
    if (count > 0) getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &size);
    if (error) { errno = error; return give_up(descriptor); }
    return descriptor;
}
