import FixedMemory

/// The bus to which an adapter is attached, numbered as in the kernel (include/net/bluetooth/hci.h, from
/// HCI_VIRTUAL on).
public enum AdapterBus: UInt8, BitwiseCopyable, Equatable, Sendable {
    case virtual, usb, pcCard, uart, rs232, pci, sdio, spi, i2c, smd, virtio, ipc

    /// Parses a ``name``.
    init?(parsing text: Span<UInt8>) {
        var number: UInt8 = 0
        while let bus = AdapterBus(rawValue: number) {
            if text.isEqual(to: bus.name) {
                self = bus
                return
            }
            number += 1
        }
        return nil
    }

    public var name: StaticString {
        switch self {
        case .virtual: "virtual"
        case .usb: "usb"
        case .pcCard: "pccard"
        case .uart: "uart"
        case .rs232: "rs232"
        case .pci: "pci"
        case .sdio: "sdio"
        case .spi: "spi"
        case .i2c: "i2c"
        case .smd: "smd"
        case .virtio: "virtio"
        case .ipc: "ipc"
        }
    }
}
