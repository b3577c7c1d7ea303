import FixedMemory
import HCI
import Peers

/// One adapter of a captured host: whether it scans, and the peer that it should connect to. Commands show
/// whether it scans or, where the capture begins later, advertising reports do.
struct CapturedAdapter: BitwiseCopyable {
    private(set) var isScanning = false
    /// Whether commands have shown the scan's state; before that, reports show it.
    private var isScanStateKnown = false
    private var pending: (opCode: OpCode, isOn: Bool)?
    /// The peer's address as the host knows it, which may differ from the one in the connection event.
    private var requestedPeer: DeviceAddress?

    init() {}

    /// `packet`: the whole packet, at least four bytes.
    mutating func record(command opCode: OpCode, _ packet: Span<UInt8>) {
        switch opCode {
        case .leSetScanEnable, .leSetExtendedScanEnable:
            pending = (opCode, packet.count > 4 && packet[4] == 1)
        case .reset: pending = (opCode, false)
        // Scan interval and window (4), filter policy (1), then address type and address.
        case .leCreateConnection where packet.count >= 16 && packet[8] == 0:
            requestedPeer = DeviceAddress(littleEndian: packet.loadUInt48(at: 10), addressType: packet[9])
        // Filter policy (1), our address type (1), then address type and address.
        case .leExtendedCreateConnection where packet.count >= 13 && packet[4] == 0:
            requestedPeer = DeviceAddress(littleEndian: packet.loadUInt48(at: 7), addressType: packet[6])
        default: break
        }
    }

    mutating func record(answerTo opCode: OpCode, _ status: Status) {
        if opCode == .leCreateConnection || opCode == .leExtendedCreateConnection, status != .success {
            requestedPeer = nil
        }
        guard let step = pending, step.opCode == opCode else { return }
        pending = nil
        guard status == .success else { return }
        isScanning = step.isOn
        isScanStateKnown = true
    }

    /// Records a report, which shows that the adapter scans even if the capture misses the scan's start. Once
    /// commands have shown the scan's state, a late report does not start the scan again.
    mutating func recordReport() { if !isScanStateKnown { isScanning = true } }

    /// Returns the peer of the pending connection request, once.
    mutating func takeRequestedPeer() -> DeviceAddress? {
        defer { requestedPeer = nil }
        return requestedPeer
    }
}
