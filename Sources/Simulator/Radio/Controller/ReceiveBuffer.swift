/// The kernel's buffer for packets of a controller that the host has not read yet. Reports and answers
/// share it. Packets that arrive while it is full are lost without notice.
///
/// Fault model, after Linux 6 on 64 bits:
///
/// - A user channel's socket (net/bluetooth/hci_sock.c, `hci_send_to_sock`) accepts a packet while its
///   charge is below `net.core.rmem_default`, 212,992 bytes. On boards the agent asks for more, but must
///   work with this where it gets no more. The charge of a packet is the memory of its copy: a power-of-two
///   buffer for its bytes and 320 of `skb_shared_info`, and 256 for `sk_buff`. A packet of up to 192 bytes
///   therefore costs 768, a longer one 1,280, and 278 reports fit.
/// - The bytes of a UART wait in the tty's buffers. The driver's buffers hold 65,536
///   (`TTYB_DEFAULT_MEM_LIMIT`; newer kernels have ten times that), and the line discipline's buffer holds
///   4,095. The model has no flow control, like a Pi 3 of revision 1.2; with it, the controller would wait.
struct ReceiveBuffer {
    private let kind: HCITransport.Kind
    private var charged = 0

    init(_ kind: HCITransport.Kind) { self.kind = kind }

    private static let socketCapacity = 212_992
    private static let largestInSmallBuffer = 192
    private static let ttyCapacity = 65_536 + 4_095

    /// Reserves space for bytes that arrive together, and returns how many fit. A packet fits in whole or
    /// not at all.
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

    /// Frees the space of a packet or piece that the host has read.
    mutating func give(back byteCount: Int) {
        charged -= kind == .packets ? Self.charge(of: byteCount) : byteCount
    }

    private static func charge(of byteCount: Int) -> Int {
        byteCount <= largestInSmallBuffer ? 768 : 1_280
    }
}
