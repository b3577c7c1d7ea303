import FixedMemory
import Foundation

// Conversions between byte buffers and SQLite blobs.

extension Data {
    init(copying span: Span<UInt8>) { self.init([UInt8](copying: span)) }
}

extension Bytes {
    /// Nil unless the blob has exactly `count` bytes.
    init?(_ blob: Data) { self.init([UInt8](blob).span) }
}
