import FixedMemory

/// An hour of a UTC day, the unit of CovidTracer's keys.
public struct CovidTracerHour: BitwiseCopyable, Equatable, Sendable {
    public static let seconds: UInt64 = 3_600

    public let date: CalendarDate
    /// 0 through 23.
    public let hour: Int

    /// Nil for an hour outside 0 through 23.
    public init?(date: CalendarDate, hour: Int) {
        guard (0..<24).contains(hour) else { return nil }
        self.date = date
        self.hour = hour
    }

    /// The hour that contains an instant.
    /// - Throws: `.noDate` for years after 9999, which do not fit the keys' texts.
    public init(containing unixSeconds: UInt64) throws(CovidTracerError) {
        guard let days = UInt32(exactly: unixSeconds / 86_400) else { throw .noDate }
        date = CalendarDate(daysSince1970: days)
        guard date.daysSince1970 == days else { throw .noDate }
        hour = Int(truncatingIfNeeded: unixSeconds % 86_400 / Self.seconds)
    }

    public var startSeconds: UInt64 {
        UInt64(date.daysSince1970) * 86_400 + UInt64(truncatingIfNeeded: hour) * Self.seconds
    }

    public var validity: ValidityInterval {
        ValidityInterval(around: startSeconds, periodSeconds: UInt32(Self.seconds))
    }

    /// The text from which the hour's key is derived, such as `2020-04-25T07`.
    public var message: FixedBuffer<13> {
        var text = FixedBuffer<13>()
        do throws(CapacityError) {
            try text.append(date)
            try text.append("T")
            try text.append(decimal: UInt64(truncatingIfNeeded: hour), digitCount: 2)
        } catch {}  // 13 characters fit
        return text
    }
}

public enum CovidTracerError: Error, Equatable, Sendable {
    /// Other than 20 bytes on the air, or other than 32 bytes of a key.
    case wrongLength
    /// After the year 9999.
    case noDate
    /// mbedTLS ran out of memory.
    case cryptography
}
