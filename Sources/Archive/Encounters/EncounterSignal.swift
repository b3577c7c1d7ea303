/// The numbers of an encounter's readings and samples, and their strength.
public struct EncounterSignal: Sendable, Equatable {
    public var readingCount: Int
    public var sampleCount: Int
    /// Nil if no sample was kept.
    public var rssi: RSSISummary?
    /// The number of RSSI readings that the peer wrote to the board. The board did not measure them, and they
    /// are in no other number here.
    public var writtenReadingCount = 0

    public init(
        readingCount: Int, sampleCount: Int = 0, rssi: RSSISummary? = nil, writtenReadingCount: Int = 0
    ) {
        self.readingCount = readingCount
        self.sampleCount = sampleCount
        self.rssi = rssi
        self.writtenReadingCount = writtenReadingCount
    }

    mutating func add(_ other: EncounterSignal) {
        readingCount += other.readingCount
        sampleCount += other.sampleCount
        writtenReadingCount += other.writtenReadingCount
        guard let more = other.rssi else { return }
        if rssi == nil { rssi = more } else { rssi?.add(more) }
    }
}
