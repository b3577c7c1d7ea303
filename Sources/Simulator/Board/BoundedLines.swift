/// The last lines that a board has logged.
public struct BoundedLines: Sendable {
    public struct Line: Sendable {
        public let time: SimulatedTime
        public let text: String
    }

    private static let capacity = 1_000
    private var ring: [Line] = []
    private var oldest = 0
    /// The number of lines ever appended, including those already dropped.
    public private(set) var totalCount: UInt64 = 0

    mutating func append(_ text: String, at time: SimulatedTime) {
        totalCount &+= 1
        let line = Line(time: time, text: text)
        if ring.count < Self.capacity {
            ring.append(line)
        } else {
            ring[oldest] = line
            oldest = (oldest + 1) % Self.capacity
        }
    }

    /// The retained lines, oldest first.
    public var all: [Line] { Array(ring[oldest...] + ring[..<oldest]) }

    public func contains(_ text: String) -> Bool {
        ring.contains { line in line.text.hasSubstring(text) }
    }
}

extension String {
    /// Replaces Foundation's `contains(_:)` for strings, because this module does not import Foundation.
    func hasSubstring(_ part: String) -> Bool {
        let (bytes, wanted) = (Array(utf8), Array(part.utf8))
        guard wanted.count <= bytes.count else { return false }
        return (0...bytes.count - wanted.count).contains { bytes[$0...].starts(with: wanted) }
    }
}
