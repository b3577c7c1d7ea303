/// What the kernel keeps of what has come from a controller until the host reads it. Reports and answers share it. What comes
/// when it is full is lost, and nobody is told.
///
/// Fault model, after Linux 6 on 64 bits:
///
/// - A user channel's socket (net/bluetooth/hci_sock.c, `hci_send_to_sock`) takes a packet while less is charged to it than
///   `net.core.rmem_default`, 212,992 bytes. (On boards the agent asks for more; it must do with this where it gets none.)
///   Charged is what the copy takes that is made of the packet: its bytes and 320 of `skb_shared_info` in a buffer of a power of
///   two, and 256 of `sk_buff`. So one of 192 bytes or less costs 768, a longer one 1,280: 278 reports find room.
/// - A UART's bytes wait in the tty's buffers: 65,536 in those that the driver fills (`TTYB_DEFAULT_MEM_LIMIT`; newer
///   kernels have ten times that) and 4,095 in the line's. There is no flow control, as on a Pi 3 of revision 1.2: with it the
///   controller would wait.
struct ReceiveBuffer {
    private let kind: HCITransport.Kind
    private var charged = 0

    init(_ kind: HCITransport.Kind) { self.kind = kind }

    private static let socketCapacity = 212_992
    private static let largestInSmallBuffer = 192
    private static let ttyCapacity = 65_536 + 4_095

    /// Of so many bytes that come together, how many find room: of a packet all or none.
    mutating func take(_ byteCount: Int) -> Int {
        switch kind {
        case .packets:
            guard charged < Self.socketCapacity else { return 0 }
            charged += Self.charge(of: byteCount)
            return byteCount
        case .stream:
            let count = min(byteCount, Self.ttyCapacity - charged)
            charged += count
            return count
        }
    }

    /// The host has read what came together, or a piece of it.
    mutating func give(back byteCount: Int) {
        charged -= kind == .packets ? Self.charge(of: byteCount) : byteCount
    }

    private static func charge(of byteCount: Int) -> Int {
        byteCount <= largestInSmallBuffer ? 768 : 1_280
    }
}
