import FixedMemory

/// CovidTracer: an identifier an hour, from a key a day, from one root.
public enum CovidTracer: PublishingScheme {
    /// The original compares only the day, so it accepts an identifier that is replayed before midnight. Here
    /// the hour counts, with one more hour on either side.
    public static var toleranceSeconds: UInt64 { CovidTracerHour.seconds }

    @inline(never)
    public static func identity(
        at unixSeconds: UInt64, by root: inout CovidTracerRootKey
    ) throws(CovidTracerError) -> Timed<CovidTracerIdentifier> {
        let hour = try CovidTracerHour(containing: unixSeconds)
        guard let identifier = try root.dailyKey(of: hour.date).identifier(ofHour: hour.hour) else {
            throw .noDate
        }
        return Timed(identifier, hour.validity)
    }

    public static func read(_ bytes: Span<UInt8>) throws(CovidTracerError) -> CovidTracerIdentifier {
        try CovidTracerIdentifier(parsing: bytes)
    }

    public static func expand(
        _ key: CovidTracerDailyKey, _ visit: (Timed<CovidTracerIdentifier>) -> Bool
    ) throws(CovidTracerError) {
        for number in 0..<24 {
            guard let hour = CovidTracerHour(date: key.date, hour: number),
                let identifier = try key.identifier(ofHour: number),
                visit(Timed(identifier, hour.validity))
            else { return }
        }
    }
}
