import CLinux

/// A source of random bytes: a C function with a context, as mbedTLS expects. A closure that captures generic
/// parameters cannot become a C callback. Tests and the simulator supply their own sources.
public struct Entropy {
    /// Fills the bytes and returns 0, or returns ``failure``.
    public typealias Fill =
        @convention(c) (
            _ context: UnsafeMutableRawPointer?, _ bytes: UnsafeMutablePointer<UInt8>?, _ byteCount: Int
        ) -> Int32

    /// The failure code of a source: MBEDTLS_ERR_ENTROPY_SOURCE_FAILED.
    public static let failure: Int32 = -0x003C

    let fill: Fill
    let context: UnsafeMutableRawPointer?

    public init(context: UnsafeMutableRawPointer? = nil, fill: @escaping Fill) {
        self.fill = fill
        self.context = context
    }

    /// The system's generator. It never blocks: early in boot it fails, and the caller tries again later.
    public static var system: Entropy {
        Entropy { _, bytes, byteCount in
            clinux_random(bytes, byteCount) >= 0 ? 0 : Entropy.failure
        }
    }

    public func fill(_ bytes: inout MutableSpan<UInt8>) throws(CryptographyError) {
        let result = bytes.withUnsafeMutableBufferPointer { fill(context, $0.baseAddress, $0.count) }
        guard result == 0 else { throw .noEntropy }
    }
}
