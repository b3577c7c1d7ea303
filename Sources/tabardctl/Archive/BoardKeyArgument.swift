import ArgumentParser
import FixedMemory
import KeyFiles
import LogContents

/// A board's public key on the command line: its fingerprint, or all 130 hexadecimal digits of its X9.63
/// form.
enum BoardKeyArgument: ExpressibleByArgument {
    case fingerprint(Bytes<16>)
    case key(Bytes<65>)

    init?(argument: String) {
        if let fingerprint = Fingerprint.bytes(argument) {
            self = .fingerprint(fingerprint)
        } else if let bytes = [UInt8](hexadecimal: argument), let key = Bytes<65>(bytes.span),
            Fingerprint.bytes(ofPublicKey: key) != nil
        {
            self = .key(key)
        } else {
            return nil
        }
    }

    /// The whole key; nil if no candidate has the fingerprint.
    func publicKey(among candidates: [Bytes<65>]) -> Bytes<65>? {
        switch self {
        case .key(let key): key
        case .fingerprint(let fingerprint):
            candidates.first { Fingerprint.bytes(ofPublicKey: $0) == fingerprint }
        }
    }
}
