import FixedMemory
import HCI
import Peers

/// One adapter of a captured host: whether it scans, from the commands that it was sent and, where the capture begins
/// later, from the reports that came; and whom it was asked to connect to.
struct CapturedAdapter: BitwiseCopyable {
    private(set) var isScanning = false
    /// Commands have told; before, reports do.
    private var isTold = false
    private var asked: (opCode: OpCode, isOn: Bool)?
    /// The address that the host knows, which need not be the one it is told.
    private var wantedPeer: DeviceAddress?

    init() {}

    /// `packet`: all of it, of four bytes at least.
    mutating func note(command opCode: OpCode, _ packet: Span<UInt8>) {
        switch opCode {
        case .leSetScanEnable, .leSetExtendedScanEnable:
            asked = (opCode, packet.count > 4 && packet[4] == 1)
        case .reset: asked = (opCode, false)
        // Intervals (4), filter policy (1), then address type and address.
        case .leCreateConnection where packet.count >= 16 && packet[8] == 0:
            wantedPeer = DeviceAddress(littleEndian: packet.loadUInt48(at: 10), addressType: packet[9])
        // Filter policy (1), our address type (1), then address type and address.
        case .leExtendedCreateConnection where packet.count >= 13 && packet[4] == 0:
            wantedPeer = DeviceAddress(littleEndian: packet.loadUInt48(at: 7), addressType: packet[6])
        default: break
        }
    }

    mutating func note(answerTo opCode: OpCode, _ status: Status) {
        if opCode == .leCreateConnection || opCode == .leExtendedCreateConnection, status != .success {
            wantedPeer = nil
        }
        guard let step = asked, step.opCode == opCode else { return }
        asked = nil
        guard status == .success else { return }
        isScanning = step.isOn
        isTold = true
    }

    /// A report came: the adapter is scanning, though it was not captured how that began. Where it was, a report that
    /// comes late does not begin it again.
    mutating func noteReport() { if !isTold { isScanning = true } }

    /// Whom it was asked to connect to, once.
    mutating func takeWantedPeer() -> DeviceAddress? {
        defer { wantedPeer = nil }
        return wantedPeer
    }
}
