"""A virtual Bluetooth controller: Android's RootCanal, as the shared library of its Python package.

The library leaves the air to its caller. It passes on the link-layer packets that it sends, and accepts those
of other controllers with their RSSI. `air.py` is that caller.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from typing import Any

from rootcanal.binaries import get_package_binary_resource_path

COMMAND, ACL_DATA, SYNCHRONOUS_DATA, EVENT, ISOCHRONOUS_DATA = 1, 2, 3, 4, 5
"""H4 packet indicators. RootCanal numbers its own kinds of packet in the same way."""

_ToHost = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.POINTER(ctypes.c_ubyte), ctypes.c_size_t)
_ToAir = ctypes.CFUNCTYPE(None, ctypes.POINTER(ctypes.c_ubyte), ctypes.c_size_t, ctypes.c_int, ctypes.c_int)


@cache
def _library() -> ctypes.CDLL:
    library = ctypes.CDLL(get_package_binary_resource_path("librootcanal_ffi.so"))
    library.ffi_controller_new.restype = ctypes.c_void_p
    library.ffi_controller_new.argtypes = [ctypes.c_char_p, _ToHost, _ToAir]
    library.ffi_controller_delete.argtypes = [ctypes.c_void_p]
    library.ffi_controller_tick.argtypes = [ctypes.c_void_p]
    library.ffi_controller_receive_hci.argtypes = [
        ctypes.c_void_p,
        ctypes.c_int,
        ctypes.c_char_p,
        ctypes.c_size_t,
    ]
    library.ffi_controller_receive_ll.argtypes = [
        ctypes.c_void_p,
        ctypes.c_char_p,
        ctypes.c_size_t,
        ctypes.c_int,
        ctypes.c_int,
    ]
    _quieten_c_stdout()
    return library


def _quieten_c_stdout() -> None:
    """Redirects C's `stdout` to /dev/null, because RootCanal writes a line there for each HCI command.

    Only the C library's variable changes. File descriptor 1, which Python writes to, stays the same.
    """
    libc = ctypes.CDLL(None)
    libc.fopen.restype = ctypes.c_void_p
    ctypes.c_void_p.in_dll(libc, "stdout").value = libc.fopen(b"/dev/null", b"w")


class Controller:
    """One RootCanal controller. It must not be closed from within one of its own callbacks."""

    def __init__(
        self,
        public_address: str,
        to_host: Callable[[bytes], None],
        to_air: Callable[[bytes, int], None],
    ) -> None:
        """`to_host` gets whole H4 packets, `to_air` a link-layer packet and its PHY, both synchronously."""

        def host(kind: int, data: Any, count: int) -> None:
            to_host(bytes([kind]) + ctypes.string_at(data, count))

        def air(data: Any, count: int, phy: int, _transmit_power: int) -> None:
            to_air(ctypes.string_at(data, count), phy)

        # The library keeps bare pointers to these, so they must live as long as the controller.
        self._callbacks = (_ToHost(host), _ToAir(air))
        address = bytes.fromhex(public_address.replace(":", ""))[::-1]
        self._instance: int | None = _library().ffi_controller_new(address, *self._callbacks)

    def receive_from_host(self, packet: bytes) -> None:
        """Accepts one H4 packet. RootCanal aborts the process on a command with missing parameters."""
        if self._instance is not None:
            _library().ffi_controller_receive_hci(self._instance, packet[0], packet[1:], len(packet) - 1)

    def receive_from_air(self, pdu: bytes, phy: int, rssi_dbm: int) -> None:
        """Accepts one link-layer packet, received at `rssi_dbm`."""
        if self._instance is not None:
            _library().ffi_controller_receive_ll(self._instance, pdu, len(pdu), phy, rssi_dbm)

    def tick(self) -> None:
        """Lets the controller do the work that is due by its own clock."""
        if self._instance is not None:
            _library().ffi_controller_tick(self._instance)

    def close(self) -> None:
        """Ends the controller without notice, like a pulled plug."""
        if self._instance is not None:
            _library().ffi_controller_delete(self._instance)
            self._instance = None
