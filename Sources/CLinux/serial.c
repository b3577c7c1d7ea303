#define _GNU_SOURCE
#include "CLinux/serial.h"
#include "CLinux/files.h"
#include "status.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>

static int set_speed(struct termios *settings, uint32_t baud) {
    static const struct { uint32_t baud; speed_t speed; } rates[] = {
        { 9600, B9600 }, { 19200, B19200 }, { 38400, B38400 }, { 57600, B57600 }, { 115200, B115200 },
        { 230400, B230400 }, { 460800, B460800 }, { 500000, B500000 }, { 921600, B921600 },
        { 1000000, B1000000 }, { 1500000, B1500000 }, { 2000000, B2000000 }, { 3000000, B3000000 },
        { 4000000, B4000000 },
    };
    if (baud == 0) return 0;
    for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++)
        if (rates[i].baud == baud) return cfsetspeed(settings, rates[i].speed);
    errno = EINVAL;
    return -1;
}
int32_t clinux_serial_open(const char *path, uint32_t baud, int32_t has_flow_control) {
    int descriptor = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) return -errno;
    struct termios settings;
    if (tcgetattr(descriptor, &settings) < 0) return give_up(descriptor);
    cfmakeraw(&settings);
    settings.c_cflag |= CLOCAL | CREAD;
    settings.c_cflag = has_flow_control ? settings.c_cflag | CRTSCTS : settings.c_cflag & ~CRTSCTS;
    if (set_speed(&settings, baud) < 0 || tcsetattr(descriptor, TCSANOW, &settings) < 0) return give_up(descriptor);
    return descriptor;
}
int32_t clinux_discard_and_close(int32_t descriptor) {
    // Without the flush, close() would wait half a minute on a line whose other end reads nothing.
    (void)tcflush(descriptor, TCOFLUSH);
    return clinux_close(descriptor);
}

// Does the work of ptsname_r, because musl's version links all of printf, 10 KiB.
static int name_other_side(int descriptor, char *name, size_t name_capacity) {
    static const char directory[] = "/dev/pts/";
    unsigned number, digits = 1;
    if (ioctl(descriptor, TIOCGPTN, &number) < 0) return -1;
    for (unsigned rest = number; rest >= 10; rest /= 10) digits++;
    if (sizeof directory + digits > name_capacity) { errno = ERANGE; return -1; }
    char *end = strcpy(name, directory) + sizeof directory - 1 + digits;
    *end = 0;
    do { *--end = (char)('0' + number % 10); } while (number /= 10);
    return 0;
}
int32_t clinux_pseudo_terminal(char *name, size_t name_capacity, int32_t *other_side) {
    int descriptor = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) return -errno;
    if (grantpt(descriptor) < 0 || unlockpt(descriptor) < 0) return give_up(descriptor);
    if (name_other_side(descriptor, name, name_capacity) < 0) return give_up(descriptor);
    *other_side = clinux_serial_open(name, 0, 0);
    if (*other_side < 0) { errno = -*other_side; return give_up(descriptor); }
    return descriptor;
}
