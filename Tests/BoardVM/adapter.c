/* adapter NUMBER up|down: brings an adapter up or down, as bluetoothd does with the adapters that it manages.

   The program runs inside the emulated machine, which has no BlueZ. */
#include <bluetooth/bluetooth.h>
#include <bluetooth/hci.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

int main(int count, char **arguments) {
    if (count != 3 || (strcmp(arguments[2], "up") != 0 && strcmp(arguments[2], "down") != 0)) {
        fputs("usage: adapter NUMBER up|down\n", stderr);
        return 64;
    }
    int descriptor = socket(AF_BLUETOOTH, SOCK_RAW, BTPROTO_HCI);
    unsigned long request = strcmp(arguments[2], "up") == 0 ? HCIDEVUP : HCIDEVDOWN;
    // The kernel keeps a new adapter up for only two seconds; this request makes it stay up.
    if (descriptor < 0 || (ioctl(descriptor, request, atoi(arguments[1])) < 0 && errno != EALREADY)) {
        perror(arguments[2]);
        return 1;
    }
    return 0;
}
