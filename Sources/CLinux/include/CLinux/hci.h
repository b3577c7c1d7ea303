#ifndef CLINUX_HCI_H
#define CLINUX_HCI_H
#include <stdint.h>

/* The kernel's Bluetooth adapters. The user channel is a non-blocking descriptor. */
int32_t clinux_hci_device_down(uint16_t device);
int32_t clinux_hci_user_channel(uint16_t device);
/* The kernel's record of an adapter. */
typedef struct {
    uint64_t address; /* 48 bits; 0 until it has been set up */
    uint16_t number;
    uint8_t bus;      /* HCI_VIRTUAL and on, of the kernel's net/bluetooth/hci.h */
} clinux_adapter;
/* Returns the number of adapters filled in: at most capacity, and at most 16. */
int32_t clinux_hci_adapters(clinux_adapter *adapters, int32_t capacity);
/* Blocks or unblocks the adapter through the kernel's rfkill switch (/dev/rfkill); -ENODEV if it has none. */
int32_t clinux_rfkill(uint16_t device, int32_t is_blocked);
/* Binds a device to the driver with this directory in /sys, or unbinds it. */
int32_t clinux_bind_driver(const char *driver, const char *device, int32_t is_bound);
#endif
