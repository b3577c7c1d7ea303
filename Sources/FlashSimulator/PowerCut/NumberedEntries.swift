import EncounterLog
import FixedMemory

/// Entries of different lengths, each recognisable by its number. One in eight has an identity, which the
/// next such entry may share.
enum NumberedEntries {
    static func entry(_ number: Int) -> LogEntry {
        let encounter = UInt32(truncatingIfNeeded: number)
        let time = Instant(milliseconds: UInt64(number) * 800)
        guard number % 8 == 5 else {
            return .sample(
                SampleEntry(
                    encounter: encounter, start: time, end: time + .milliseconds(7_900),
                    readings: UInt16(number % 60 + 1), minimumRSSIDBm: -80, maximumRSSIDBm: -60,
                    meanRSSITenthsDBm: -655))
        }
        // Four such entries in a row have the same identity.
        var random = RandomStream(seed: UInt64(number / 32))
        var identity = FixedBuffer<512>()
        do throws(CapacityError) {
            for _ in 0..<random.below(160) { try identity.append(UInt8(truncatingIfNeeded: random.next())) }
        } catch {
            preconditionFailure("at most 160 bytes")
        }
        return .encounterIdentified(
            EncounterIdentifiedEntry(
                encounter: encounter, instant: time, scheme: SchemeCode(.herald), identity: identity))
    }

    /// The number of an entry whose identity is lost; nil if it was never made here.
    static func number(of reference: IdentityReferenceEntry) -> Int? {
        let number = Int(reference.encounter)
        guard case .encounterIdentified(let whole) = entry(number) else { return nil }
        let expected = IdentityReferenceEntry(
            encounter: whole.encounter, instant: whole.instant, scheme: whole.scheme,
            hash: IdentityHash(scheme: whole.scheme, identity: whole.identity))
        return reference == expected ? number : nil
    }

    /// The number of an entry; nil if it was never made here.
    static func number(of entry: LogEntry) -> Int? {
        let number: Int
        switch entry {
        case .sample(let sample): number = Int(sample.encounter)
        case .encounterIdentified(let identified): number = Int(identified.encounter)
        default: return nil
        }
        return entry == Self.entry(number) ? number : nil
    }
}
