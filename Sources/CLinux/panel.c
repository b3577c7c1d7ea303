#define _GNU_SOURCE
#include "CLinux/panel.h"
#include "status.h"

#include <fcntl.h>
#include <linux/gpio.h>
#include <linux/input.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>

int64_t clinux_put(const char *path, const void *bytes, size_t byte_count) {
    int descriptor = open(path, O_WRONLY | O_CLOEXEC);
    if (descriptor < 0) return -errno;
    int64_t count = result64(write(descriptor, bytes, byte_count));
    close(descriptor);
    return count;
}

int32_t clinux_open_keys(const char *path) { return result(open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)); }

static bool has_bit(const uint8_t *bits, unsigned number) { return bits[number / 8] >> number % 8 & 1; }

int32_t clinux_count_keys(int32_t descriptor) {
    uint8_t kinds[EV_MAX / 8 + 1] = { 0 }, keys[KEY_MAX / 8 + 1] = { 0 };
    if (ioctl(descriptor, EVIOCGBIT(0, sizeof kinds), kinds) < 0) return -errno;
    if (!has_bit(kinds, EV_KEY) || has_bit(kinds, EV_REL) || has_bit(kinds, EV_ABS)) return 0;
    if (ioctl(descriptor, EVIOCGBIT(EV_KEY, sizeof keys), keys) < 0) return -errno;
    int32_t count = 0, others = 0;
    for (unsigned key = 0; key <= KEY_MAX; key++) {
        if (!has_bit(keys, key)) continue;
        count++;
        if (key != KEY_POWER && key != KEY_SLEEP && key != KEY_WAKEUP && key != KEY_SUSPEND) others++;
    }
    return others > 0 ? count : 0;
}

/* The kernel's record of an event. On 32-bit boards the struct input_event of the libc is longer, because
   its time has 64 bits. */
struct event_record {
    unsigned long seconds, microseconds;
    uint16_t type, code;
    int32_t value;
};

int32_t clinux_read_key(int32_t descriptor) {
    struct event_record event;
    for (;;) {
        ssize_t count = read(descriptor, &event, sizeof event);
        if (count < 0) return -errno;
        if (count != (ssize_t)sizeof event) return -ENODEV;
        /* A value of 2 repeats a key that is held. */
        if (event.type == EV_KEY && (event.value == 0 || event.value == 1)) return event.value;
    }
}

int32_t clinux_open_line(const char *chip, uint32_t number, bool is_active_low) {
    struct gpio_v2_line_request request = { 0 };
    int descriptor = open(chip, O_RDWR | O_CLOEXEC);
    if (descriptor < 0) return -errno;
    request.offsets[0] = number;
    request.num_lines = 1;
    request.config.flags = GPIO_V2_LINE_FLAG_INPUT | GPIO_V2_LINE_FLAG_EDGE_RISING | GPIO_V2_LINE_FLAG_EDGE_FALLING
        | (is_active_low ? GPIO_V2_LINE_FLAG_ACTIVE_LOW : 0);
    strcpy(request.consumer, "tabard");
    int status = ioctl(descriptor, GPIO_V2_GET_LINE_IOCTL, &request);
    if (status < 0) return give_up(descriptor);
    close(descriptor);
    (void)fcntl(request.fd, F_SETFD, FD_CLOEXEC);
    (void)fcntl(request.fd, F_SETFL, O_NONBLOCK);
    return request.fd;
}
int32_t clinux_read_line(int32_t descriptor) {
    struct gpio_v2_line_event edges[16];
    struct gpio_v2_line_values values = { .mask = 1 };
    while (read(descriptor, edges, sizeof edges) > 0) {}
    if (ioctl(descriptor, GPIO_V2_LINE_GET_VALUES_IOCTL, &values) < 0) return -errno;
    return (int32_t)(values.bits & 1);
}

static int64_t milliseconds_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * (int64_t)1000 + time.tv_nsec / 1000000;
}

/* Takes what comes until the end, or until the time is over. */
static int64_t read_until(int descriptor, char *output, size_t capacity, int64_t deadline) {
    size_t count = 0;
    char rest[256];
    for (;;) {
        struct pollfd ready = { .fd = descriptor, .events = POLLIN };
        int64_t left = deadline - milliseconds_now();
        int found = left > 0 ? poll(&ready, 1, (int)left) : 0;
        if (found == 0) return -ETIMEDOUT;
        if (found < 0 && errno == EINTR) continue;
        if (found < 0) return -errno;
        bool is_full = count == capacity;
        ssize_t length = is_full ? read(descriptor, rest, sizeof rest)
                                 : read(descriptor, output + count, capacity - count);
        if (length < 0) return -errno;
        if (length == 0) return (int64_t)count;
        if (!is_full) count += (size_t)length;
    }
}
int64_t clinux_run(const char *path, void *output, size_t capacity, int32_t timeout_milliseconds) {
    int ends[2];
    int64_t deadline = milliseconds_now() + timeout_milliseconds;
    if (pipe2(ends, O_CLOEXEC) < 0) return -errno;
    pid_t child = fork();
    if (child == 0) {
        sigset_t none;
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, NULL);
        setpgid(0, 0);
        dup2(ends[1], 1);
        char *arguments[] = { (char *)path, NULL };
        execv(path, arguments);
        _exit(127);
    }
    int error = errno;
    close(ends[1]);
    if (child < 0) {
        close(ends[0]);
        return -error;
    }
    int64_t count = read_until(ends[0], output, capacity, deadline);
    close(ends[0]);
    int status = 0;
    /* The time limit also holds for a program that has closed its output and goes on. */
    while (count >= 0 && waitpid(child, &status, WNOHANG) == 0) {
        if (milliseconds_now() >= deadline) count = -ETIMEDOUT;
        struct timespec pause = { .tv_nsec = 5000000 };
        nanosleep(&pause, NULL);
    }
    if (count < 0) {
        (void)kill(-child, SIGKILL);
        (void)kill(child, SIGKILL);
        (void)waitpid(child, &status, 0);
        return count;
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? count : -ECHILD;
}

int32_t clinux_power_off(void) { return result(kill(1, SIGRTMIN + 4)); }
