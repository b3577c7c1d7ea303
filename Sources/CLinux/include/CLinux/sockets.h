#ifndef CLINUX_SOCKETS_H
#define CLINUX_SOCKETS_H
#include <stdint.h>

/* HCI transports over sockets, as non-blocking descriptors. */
int32_t clinux_unix_connect(const char *path, int32_t is_sequenced_packets);
/* Connects to a numeric IPv4 or IPv6 address. Blocks for at most timeout_milliseconds. */
int32_t clinux_tcp_connect(const char *address, uint16_t port, int32_t timeout_milliseconds);
#endif
