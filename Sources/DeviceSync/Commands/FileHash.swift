import Cryptography
import FixedMemory

public enum FileHashType: Sendable {
    case sha256
    case crc32

    public var name: StaticString {
        switch self {
        case .sha256: "sha256"
        case .crc32: "crc32"
        }
    }

    public init?(_ name: Span<UInt8>) {
        if name.isEqual(to: "sha256") {
            self = .sha256
        } else if name.isEqual(to: "crc32") {
            self = .crc32
        } else {
            return nil
        }
    }
}

/// The hash of a file or of a part of it.
public enum FileHash: Equatable, Sendable {
    case sha256(Bytes<32>)
    case crc32(UInt32)
}
