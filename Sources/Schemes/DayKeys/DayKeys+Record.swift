import FixedMemory

extension DayKeys {
    /// The size of the longest record.
    public static let maximumRecordByteCount = 21 + 32 * maximumDayCount
    private static let magic: StaticString = "TABARDDK"
    private static let version: UInt8 = 1
    private static let rootInClearFlag: UInt8 = 1

    /// The number of a scheme in a record; nil for a scheme whose identities do not follow from a key a day.
    static func code(of scheme: SchemeID) -> UInt8? {
        switch scheme {
        case .herald: 1
        case .covidTracer: 3
        case .sonar, .bleProximity, .exposureNotification, .robert, .dp3t, .tcn: nil
        }
    }

    private static func scheme(ofCode code: UInt8) -> SchemeID? {
        switch code {
        case 1: .herald
        case 3: .covidTracer
        default: nil
        }
    }

    /// The record in which boards store and receive these keys (docs/keys.md):
    ///
    ///     "TABARDDK" · version 1 · scheme · flags (1: the root is in a log in clear) · first day u32
    ///     · days u16 · a key of 32 bytes for each · CRC-32 of all before it u32; numbers big-endian
    public var record: FixedBuffer<2048> {
        var record = FixedBuffer<2048>()
        do throws(CapacityError) {
            try record.append(Self.magic)
            try record.append(Self.version)
            try record.append(Self.code(of: scheme) ?? 0)
            try record.append(isRootInClear ? Self.rootInClearFlag : 0)
            try record.append(bigEndian: firstDay)
            try record.append(bigEndian: UInt16(truncatingIfNeeded: dayCount))
            try record.append(bytes.span.extracting(0..<dayCount * 32))
            try record.append(bigEndian: CRC32.checksum(of: record.span))
        } catch {}  // everything fits
        return record
    }

    public init(record: Span<UInt8>) throws(DayKeyRecordError) {
        guard record.count > 8, record.extracting(0..<8).isEqual(to: Self.magic) else { throw .foreign }
        guard record[8] == Self.version else { throw .unknownVersion(record[8]) }
        guard record.count >= 21 else { throw .damaged }
        let dayCount = Int(record.loadUInt16(at: 15).byteSwapped)
        let end = 17 + 32 * dayCount
        let firstDay = record.loadUInt32(at: 11).byteSwapped
        guard dayCount <= Self.maximumDayCount, record.count == end + 4,
            CRC32.checksum(of: record.extracting(0..<end)) == record.loadUInt32(at: end).byteSwapped,
            let scheme = Self.scheme(ofCode: record[9]), record[10] <= Self.rootInClearFlag,
            !firstDay.addingReportingOverflow(UInt32(truncatingIfNeeded: dayCount)).overflow
        else { throw .damaged }
        self.init(scheme, firstDay: firstDay, dayCount: dayCount)
        isRootInClear = record[10] == Self.rootInClearFlag
        for index in 0..<dayCount {
            set(record.extracting(17 + 32 * index..<49 + 32 * index), at: index)
        }
    }
}

public enum DayKeyRecordError: Error, BitwiseCopyable, Equatable, Sendable {
    /// The bytes do not begin like such a record.
    case foreign
    case unknownVersion(UInt8)
    case damaged
}
