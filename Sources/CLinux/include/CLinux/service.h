#ifndef CLINUX_SERVICE_H
#define CLINUX_SERVICE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Tells the service manager, as sd_notify(3) does; nothing without $NOTIFY_SOCKET. */
void clinux_notify(const void *text, size_t byte_count);
/* Whether standard error goes to the journal, which reads levels such as "<4>" before lines. */
bool clinux_writes_to_journal(void);

/* Makes a datagram socket with this name in $RUNTIME_DIRECTORY, with these permissions. Returns -ENOENT
   without that variable. */
int32_t clinux_service_socket(const char *name, uint32_t permissions);
/* Takes a datagram. Returns its length, at most the capacity, or -EAGAIN. */
int64_t clinux_take_question(int32_t socket, void *bytes, size_t capacity);
/* Answers the sender of the datagram that was taken last, from the same socket. */
void clinux_answer(int32_t socket, const void *bytes, size_t byte_count);

/* Sends a datagram to the socket at path. Returns a socket that becomes readable with the answer. */
int32_t clinux_begin_question(const char *path, const void *bytes, size_t byte_count);
/* Returns the length of the answer, or -EAGAIN. */
int64_t clinux_take_answer(int32_t socket, void *answer, size_t capacity);
/* Sends a datagram, and waits for the answer. */
int64_t clinux_ask(const char *path, const void *bytes, size_t byte_count, void *answer, size_t capacity,
    int32_t timeout_milliseconds);
#endif
