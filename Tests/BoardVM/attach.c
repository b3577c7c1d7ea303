/* attach TTY raw|managed: makes the kernel drive the Bluetooth controller on a serial line (H4), as a device
   tree does on a board.

   The program runs inside the emulated machine and does not end, because closing the line would remove hci0.
   The kernel leaves a raw device alone for a user channel. It sets up a managed one itself, for BlueZ. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

/* These are from the kernel's drivers/bluetooth/hci_uart.h, which is not an exported header. */
enum { LINE_DISCIPLINE_HCI = 15, HCI_UART_H4 = 0, HCI_UART_RAW_DEVICE = 0 };
#define HCIUARTSETPROTO _IOW('U', 200, int)
#define HCIUARTSETFLAGS _IOW('U', 203, int)

static int fail(const char *step) {
    perror(step);
    return 1;
}

int main(int count, char **arguments) {
    if (count != 3 || (strcmp(arguments[2], "raw") != 0 && strcmp(arguments[2], "managed") != 0)) {
        fputs("usage: attach TTY raw|managed\n", stderr);
        return 64;
    }
    unsigned long flags = strcmp(arguments[2], "raw") == 0 ? 1UL << HCI_UART_RAW_DEVICE : 0;
    int line = open(arguments[1], O_RDWR | O_NOCTTY);
    if (line < 0) return fail(arguments[1]);

    struct termios settings;
    if (tcgetattr(line, &settings) < 0) return fail("tcgetattr");
    cfmakeraw(&settings);
    settings.c_cflag |= CLOCAL | CREAD;
    cfsetspeed(&settings, B115200);
    if (tcsetattr(line, TCSANOW, &settings) < 0) return fail("tcsetattr");
    tcflush(line, TCIOFLUSH);

    int discipline = LINE_DISCIPLINE_HCI;
    if (ioctl(line, TIOCSETD, &discipline) < 0) return fail("line discipline");
    if (ioctl(line, HCIUARTSETFLAGS, flags) < 0) return fail("HCIUARTSETFLAGS");
    if (ioctl(line, HCIUARTSETPROTO, HCI_UART_H4) < 0) return fail("HCIUARTSETPROTO");
    for (;;) pause();
}
