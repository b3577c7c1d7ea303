import Archive
import FixedMemory
import TestSupport

/// In tests a literal is a number of milliseconds on the timeline.
extension TimelinePoint: ExpressibleByIntegerLiteral {
    public init(integerLiteral milliseconds: Int64) { self.init(milliseconds: milliseconds) }
}
