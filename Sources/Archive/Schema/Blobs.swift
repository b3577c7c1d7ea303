import FixedMemory
import Foundation

// Bytes as SQLite keeps them, and back.

extension Data {
    init(copying span: Span<UInt8>) { self.init([UInt8](copying: span)) }
}

extension Bytes {
    /// Nil unless there are exactly `count` of them.
    init?(_ blob: Data) { self.init([UInt8](blob).span) }
}
