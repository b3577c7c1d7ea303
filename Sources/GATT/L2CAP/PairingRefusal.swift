import FixedMemory

/// The Security Manager channel. It refuses every pairing, because no attribute here requires one.
///
/// Bluetooth Core 5.4, Vol 3, Part H, 3.
public enum PairingRefusal {
    private static let pairingRequest: UInt8 = 0x01
    private static let pairingFailed: UInt8 = 0x05
    private static let securityRequest: UInt8 = 0x0b
    private static let pairingNotSupported: UInt8 = 0x05

    /// Returns the answer to a PDU if one is due: Pairing Failed with the reason Pairing Not Supported.
    public static func answer(to pdu: Span<UInt8>) -> Bytes<2>? {
        guard pdu.count > 0, pdu[0] == pairingRequest || pdu[0] == securityRequest else { return nil }
        var answer = Bytes<2>()
        answer[0] = pairingFailed
        answer[1] = pairingNotSupported
        return answer
    }
}
