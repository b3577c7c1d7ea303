import EncounterLog
import FixedMemory

/// Checks that the entries of one boot are consistent.
///
/// Each boot begins with a boot entry. Each encounter is opened once, before all other entries about it,
/// and no entry about it follows its closing. Its times never go back, and no time lies in the future.
final class EntriesInOrder: Check {
    private struct Told {
        var last: Instant
        var isClosed = false
    }

    private var boot: UInt64 = 0
    private var bootInstant = Instant.start
    private var encounters: [UInt32: Told] = [:]
    /// Whether entries were lost for lack of space or by a flash fault, or are in a page that the check could
    /// not read. The check may then know only a part of the log.
    private var hasLost = false
    /// Whether such a page came after the last one that was read. It may be the first of the next boot.
    private var hasMissed = false

    override func committed(_ page: CommittedPage) {
        for entry in page.entries {
            if page.bootIdentifier != boot { begin(page.bootIdentifier, with: entry) }
            take(entry)
        }
        hasMissed = false
    }

    override func missed() {
        hasLost = true
        hasMissed = true
    }

    override func stepped(_ step: StepFacts) {
        guard !hasLost, let counters = board.counters else { return }
        hasLost = counters.dropped > 0 || diary.hasNow(\.isOfFlash)
    }

    private func begin(_ identifier: UInt64, with entry: LogEntry) {
        boot = identifier
        encounters = [:]
        hasLost = hasMissed || diary.hasNow(\.isOfFlash)
        bootInstant = .start
        if case .boot(let body) = entry {
            bootInstant = body.instant
            if body.bootIdentifier != identifier { broken("a boot entry of another boot") }
        } else if !hasLost {
            broken("a boot that begins with \(entry)")
        }
    }

    private func take(_ entry: LogEntry) {
        switch entry {
        case .boot, .anchor, .radio, .ownIdentity, .ownKey, .configuration, .gap, .acknowledgement, .marker,
            .battery:
            break
        case .coverage(let body): checkTime(body.start, body.end, entry)
        case .encounterOpened(let body):
            checkTime(body.instant, body.instant, entry)
            if encounters[body.encounter] != nil { broken("encounter \(body.encounter) is opened twice") }
            encounters[body.encounter] = Told(last: body.instant)
        case .encounterIdentified(let body):
            checkTime(body.instant, body.instant, entry)
            tell(body.encounter, from: nil, to: nil)
        case .identityReference(let body):
            broken("encounter \(body.encounter) refers to an identity that does not stand in its segment")
        case .sample(let body):
            checkTime(body.start, body.end, entry)
            if body.readings == 0 { broken("a sample of nothing in encounter \(body.encounter)") }
            tell(body.encounter, from: body.start, to: body.end)
        case .readings(let body):
            checkTime(body.readings.start, body.readings.end, entry)
            tell(body.encounter, from: nil, to: nil)
        case .message(let body):
            checkTime(body.instant, body.instant, entry)
            if let encounter = body.encounter { tell(encounter, from: nil, to: nil) }
        case .identityRefused(let body):
            checkTime(body.instant, body.instant, entry)
            if let encounter = body.encounter { tell(encounter, from: nil, to: nil) }
        case .sharedPayloads(let body):
            checkTime(body.instant, body.instant, entry)
            if let encounter = body.encounter { tell(encounter, from: nil, to: nil) }
        case .peerDetails(let body):
            checkTime(body.instant, body.instant, entry)
            tell(body.encounter, from: nil, to: nil)
        case .encounterClosed(let body):
            checkTime(body.instant, body.instant, entry)
            tell(body.encounter, from: body.instant, to: body.instant)
            encounters[body.encounter]?.isClosed = true
        }
    }

    private func checkTime(_ start: Instant, _ end: Instant, _ entry: LogEntry) {
        let now = board.clock.now
        if start > end || end > now || start < bootInstant {
            broken(
                "impossible times at \(now.milliseconds) ms, boot at \(bootInstant.milliseconds) ms: \(entry)"
            )
        }
    }

    private func tell(_ encounter: UInt32, from start: Instant?, to end: Instant?) {
        guard let known = encounters[encounter] else {
            if !hasLost { broken("encounter \(encounter) was never opened") }
            return
        }
        if known.isClosed { broken("encounter \(encounter) continues after it was closed") }
        if let start, start < known.last { broken("encounter \(encounter) goes back in time") }
        if let end { encounters[encounter]?.last = end }
    }
}
