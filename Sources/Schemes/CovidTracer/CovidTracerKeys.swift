import Cryptography
import FixedMemory

/// The root of a phone's keys: 32 random bytes, from which all identifiers of that phone follow, past and
/// future. Source: RaphaelJ/covid-tracer at 8266505.
public struct CovidTracerRootKey: BitwiseCopyable, Sendable {
    public let bytes: Bytes<32>

    public init(_ bytes: Bytes<32>) { self.bytes = bytes }

    /// The day's key: HMAC-SHA-256 of the root key over `YYYY-MM-DD`.
    public func dailyKey(of date: CalendarDate) throws(CovidTracerError) -> CovidTracerDailyKey {
        var text = FixedBuffer<10>()
        try? text.append(date)  // 10 characters fit
        return CovidTracerDailyKey(date: date, bytes: try authenticate(text.span, with: bytes))
    }
}

/// A day's key, which its owner reports and the authority publishes. It reveals that day's 24 identifiers.
public struct CovidTracerDailyKey: BitwiseCopyable, Equatable, Sendable {
    public let date: CalendarDate
    public let bytes: Bytes<32>

    public init(date: CalendarDate, bytes: Bytes<32>) {
        self.date = date
        self.bytes = bytes
    }

    /// The hour's identifier: the first 20 bytes of HMAC-SHA-256 of the day's key over `YYYY-MM-DDTHH`. Nil
    /// for an hour outside 0 through 23.
    public func identifier(ofHour hour: Int) throws(CovidTracerError) -> CovidTracerIdentifier? {
        guard let hour = CovidTracerHour(date: date, hour: hour) else { return nil }
        let code = try authenticate(hour.message.span, with: bytes)
        return try CovidTracerIdentifier(parsing: code.span.extracting(0..<20))
    }
}

/// An hour's key of 20 bytes, which goes over the air.
public struct CovidTracerIdentifier: BitwiseCopyable, Equatable, Sendable {
    public static let byteCount = 20

    public let bytes: Bytes<20>

    public init(_ bytes: Bytes<20>) { self.bytes = bytes }

    /// - Throws: `.wrongLength` unless there are 20 bytes.
    public init(parsing bytes: Span<UInt8>) throws(CovidTracerError) {
        guard let block = Bytes<20>(bytes) else { throw .wrongLength }
        self.bytes = block
    }
}

private func authenticate(_ text: Span<UInt8>, with key: Bytes<32>) throws(CovidTracerError) -> Bytes<32> {
    do throws(CryptographyError) {
        return try HMACSHA256.code(of: text, key: key.span)
    } catch {
        throw .cryptography
    }
}
