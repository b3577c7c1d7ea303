#define _GNU_SOURCE
#include "CLinux/hci.h"
#include "status.h"

#include <fcntl.h>
#include <linux/rfkill.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <bluetooth/bluetooth.h>
#include <bluetooth/hci.h>

static char *append_text(char *end, const char *text) {
    while (*text) *end++ = *text++;
    *end = 0;
    return end;
}
static char *append_number(char *end, unsigned number) {
    char digits[12], *first = digits + sizeof digits - 1;
    *first = 0;
    do *--first = (char)('0' + number % 10); while (number /= 10);
    return append_text(end, first);
}

int32_t clinux_hci_device_down(uint16_t device) {
    // Use a second, raw socket, because a user channel answers ioctls with EBADFD.
    int descriptor = socket(AF_BLUETOOTH, SOCK_RAW | SOCK_CLOEXEC, BTPROTO_HCI);
    if (descriptor < 0) return -errno;
    if (ioctl(descriptor, HCIDEVDOWN, device) < 0 && errno != EALREADY) return give_up(descriptor);
    return result(close(descriptor));
}
int32_t clinux_hci_user_channel(uint16_t device) {
    int descriptor = socket(AF_BLUETOOTH, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, BTPROTO_HCI);
    if (descriptor < 0) return -errno;
    struct sockaddr_hci address = { .hci_family = AF_BLUETOOTH, .hci_dev = device, .hci_channel = HCI_CHANNEL_USER };
    if (bind(descriptor, (struct sockaddr *)&address, sizeof address) < 0) return give_up(descriptor);
    // A full buffer loses packets, including replies. The default size holds 278 packets, and a write to a
    // memory card can block the agent for a second. A process that may bind this socket may also exceed the
    // system's limit. The kernel allocates only the memory in use.
    static const int byte_count = 4 << 20;
    (void)setsockopt(descriptor, SOL_SOCKET, SO_RCVBUFFORCE, &byte_count, sizeof byte_count);
    return descriptor;
}
int32_t clinux_hci_adapters(clinux_adapter *adapters, int32_t capacity) {
    // The kernel's struct hci_dev_list_req ends with an array of variable length.
    struct { uint16_t count; struct hci_dev_req each[HCI_MAX_DEV]; } list = { .count = HCI_MAX_DEV };
    int descriptor = socket(AF_BLUETOOTH, SOCK_RAW | SOCK_CLOEXEC, BTPROTO_HCI);
    if (descriptor < 0) return -errno;
    if (ioctl(descriptor, HCIGETDEVLIST, &list) < 0) return give_up(descriptor);
    int32_t count = 0;
    for (int i = 0; i < list.count && i < HCI_MAX_DEV && count < capacity; i++) {
        struct hci_dev_info info = { .dev_id = list.each[i].dev_id };
        // Skip an adapter that was removed in the meantime.
        if (ioctl(descriptor, HCIGETDEVINFO, &info) < 0) continue;
        adapters[count] = (clinux_adapter) { .number = info.dev_id, .bus = info.type & 0x0f };
        for (int byte = 5; byte >= 0; byte--)
            adapters[count].address = adapters[count].address << 8 | info.bdaddr.b[byte];
        count++;
    }
    close(descriptor);
    return count;
}
int32_t clinux_rfkill(uint16_t device, int32_t is_blocked) {
    // A directory's name has the number of the switch. There are few numbers, and trying each needs no
    // allocation.
    char path[64];
    int number = 0;
    do {
        if (number == 256) return -ENODEV;
        char *end = append_number(append_text(path, "/sys/class/bluetooth/hci"), device);
        append_number(append_text(end, "/rfkill"), (unsigned)number);
    } while (access(path, F_OK) < 0 && ++number);
    struct rfkill_event event = { .idx = (uint32_t)number, .op = RFKILL_OP_CHANGE, .soft = is_blocked != 0 };
    int descriptor = open("/dev/rfkill", O_WRONLY | O_CLOEXEC);
    if (descriptor < 0) return -errno;
    if (write(descriptor, &event, RFKILL_EVENT_SIZE_V1) < 0) return give_up(descriptor);
    return result(close(descriptor));
}
int32_t clinux_bind_driver(const char *driver, const char *device, int32_t is_bound) {
    char path[256];
    if (strlen(driver) + sizeof "/unbind" > sizeof path) return -ENAMETOOLONG;
    append_text(append_text(path, driver), is_bound ? "/bind" : "/unbind");
    int descriptor = open(path, O_WRONLY | O_CLOEXEC);
    if (descriptor < 0) return -errno;
    if (write(descriptor, device, strlen(device)) < 0) return give_up(descriptor);
    return result(close(descriptor));
}
