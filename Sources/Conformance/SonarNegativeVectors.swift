import Authority
import Cryptography
import FixedMemory
import Schemes

/// Inputs that must be refused, and the reason.
///
/// A refusal proves something only if the input differs from an accepted one in a single way. So each input
/// is a value of a case of `vectors` with one change. The lowest bit of one byte is flipped, the last byte is
/// missing, or a zero is appended. Or the public key is all zeros or another case's. Other changes are
/// rejected as unknown.
enum SonarNegativeVectors {
    static func checkCryptogram(_ object: VectorObject, _ root: VectorObject) throws {
        let cryptogram = try object.bytes("cryptogram")
        var good: [[UInt8]] = []
        for reference in try SonarVectors.referenceCases(root) {
            good.append(try reference.bytes("cryptogram_106"))
        }
        guard isVariation(cryptogram, of: good) else {
            throw object.error("cryptogram", "does not differ from a case's in one way only")
        }
        var resolver = try SonarResolver(scalar: SonarVectors.serverScalar(root), entropy: .system)
        do throws(SonarRefusal) {
            let value = try SonarBroadcastValue(country: Sonar.unitedKingdom, cryptogram: cryptogram.span)
            _ = try resolver.open(value)
        } catch {
            try object.expect("expect", text(error))
            return
        }
        throw object.error("cryptogram", "was accepted")
    }

    static func checkPayload(_ object: VectorObject, _ root: VectorObject) throws {
        let payload = try object.bytes("payload_129")
        for reference in try SonarVectors.referenceCases(root) {
            let good = try reference.bytes("payload_129")
            guard differsInOneLowestBit(payload, good) else { continue }
            guard let signed = payload.count == 129 ? Array(payload[..<113]) : nil else { break }
            let expected = try SonarPayload.auth(of: signed.span, secret: reference.block("hmac_key_32"))
            guard expected.array != Array(payload[113...]) else {
                throw object.error("payload_129", "was accepted")
            }
            try object.expect("expect", text(.authMismatch))
            return
        }
        throw object.error("payload_129", "does not differ from a case's in one way only")
    }

    private static func isVariation(_ bytes: [UInt8], of good: [[UInt8]]) -> Bool {
        let zeroKey = [UInt8](repeating: 0, count: 64)
        return good.contains { each in
            differsInOneLowestBit(bytes, each) || bytes == each.dropLast() || bytes == each + [0]
                || bytes == zeroKey + each.dropFirst(64)
                || good.contains { $0 != each && bytes == Array($0.prefix(64)) + each.dropFirst(64) }
        }
    }

    private static func differsInOneLowestBit(_ bytes: [UInt8], _ good: [UInt8]) -> Bool {
        bytes.count == good.count && zip(bytes, good).map { Int($0 ^ $1) }.reduce(0, +) == 1
    }

    private static func text(_ refusal: SonarRefusal) -> String {
        switch refusal {
        case .wrongLength: "wrong length"
        case .invalidPublicKey: "invalid public key"
        case .authenticationFailure: "authentication failure"
        case .authMismatch: "auth mismatch"
        default: "\(refusal)"
        }
    }
}
