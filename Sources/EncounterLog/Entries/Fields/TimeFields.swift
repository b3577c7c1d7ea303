import FixedMemory

// Entries have times as counts of milliseconds in LEB128.

extension ByteSink where Self: ~Copyable {
    mutating func append(leb128 instant: Instant) throws(CapacityError) {
        try append(leb128: instant.milliseconds)
    }

    mutating func append(leb128 interval: Interval) throws(CapacityError) {
        try append(leb128: interval.milliseconds)
    }
}

extension FieldReader {
    mutating func readInstant() throws(MalformedField) -> Instant {
        Instant(milliseconds: try readLEB128UInt64())
    }

    mutating func readInterval() throws(MalformedField) -> Interval {
        Interval(milliseconds: try readLEB128UInt64())
    }
}
