#ifndef CLINUX_SERVICE_H
#define CLINUX_SERVICE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Tells the service manager, as sd_notify(3) does; nothing without $NOTIFY_SOCKET. */
void clinux_notify(const void *text, size_t byte_count);
/* Whether standard error goes to the journal, which reads levels such as "<4>" before lines. */
bool clinux_writes_to_journal(void);

/* A socket for datagrams at $RUNTIME_DIRECTORY/status, open to all users. -ENOENT without that variable. */
int32_t clinux_status_socket(void);
/* Takes a datagram, whatever is in it, and answers its sender. Returns whether there was one. */
bool clinux_has_question(int32_t socket);
void clinux_answer(int32_t socket, const void *bytes, size_t byte_count);
/* Sends an empty datagram to the socket at path, and waits for the answer. */
int64_t clinux_ask(const char *path, void *answer, size_t capacity, int32_t timeout_milliseconds);
#endif
