import EncounterLog
import FixedMemory
import HCI

/// The records of a board in one run of an ``AttackPlan``, beside what was true.
struct AttackRecord {
    struct Phone: Sendable {
        let name: String
        let payloads: [[UInt8]]
        let addresses: Set<DeviceAddress>
        let pseudoAddresses: Set<[UInt8]>
        /// Whether it has a link with the board most of the time, during which it sends no adverts. So chance
        /// decides how many of its adverts are heard in another room.
        let isOftenLinked: Bool
    }

    /// The presence of an identity that the board has read, without a silence above the encounter timeout.
    struct Stay: Equatable, Sendable {
        var start: Instant
        var end: Instant
        var readings: Int
    }

    /// One encounter as the log has it.
    private struct Track {
        var address: DeviceAddress
        var start: Instant
        var end: Instant
        var read: [[UInt8]] = []
        /// The pseudo addresses under which it was heard.
        var pseudoAddresses: Set<[UInt8]> = []
        var samples: [SampleEntry] = []
    }

    let phones: [Phone]
    let acknowledgedCount: Int
    let visitCount: Int
    let coveredReports: Int
    let reportCount: Int
    private let tracks: [UInt32: Track]
    private let reports: [MeasuredReport]

    static let encounterTimeout = Interval.seconds(30)

    init(
        phones: [Phone], entries: [LogEntry], reports: [MeasuredReport], acknowledgedCount: Int,
        visitCount: Int
    ) {
        self.phones = phones
        self.reports = reports
        self.acknowledgedCount = acknowledgedCount
        self.visitCount = visitCount
        reportCount = reports.count
        var tracks: [UInt32: Track] = [:]
        var covered = 0
        for entry in entries {
            switch entry {
            case .encounterOpened(let body):
                tracks[body.encounter] = Track(
                    address: body.deviceAddress, start: body.instant, end: body.instant)
            case .encounterIdentified(let body) where !body.marks.contains(.written):
                tracks[body.encounter]?.read.append([UInt8](body.identity.span))
            case .peerDetails(let body) where body.detail == .pseudoAddress:
                tracks[body.encounter]?.pseudoAddresses.insert((0..<body.value.count).map { body.value[$0] })
            case .sample(let body):
                tracks[body.encounter]?.samples.append(body)
                tracks[body.encounter]?.end = body.end
            case .coverage(let body): covered += Int(body.reports)
            default: break
            }
        }
        self.tracks = tracks
        coveredReports = covered
    }

    /// The stays of a phone, as far as the board has read it.
    func stays(of phone: Phone) -> [Stay] {
        let own = tracks.values.filter { track in
            !track.samples.isEmpty && track.read.contains { phone.payloads.contains($0) }
        }
        let parts = own.map { track in
            Stay(
                start: track.start, end: track.end,
                readings: track.samples.reduce(0) { $0 + Int($1.readings) })
        }
        return parts.sorted { $0.start < $1.start }.reduce(into: []) { stays, part in
            guard let last = stays.last, part.start <= last.end + Self.encounterTimeout else {
                return stays.append(part)
            }
            stays[stays.count - 1].end = max(last.end, part.end)
            stays[stays.count - 1].readings += part.readings
        }
    }

    /// The phone's reports of the controller during its stays.
    func measuredCount(of phone: Phone, during stays: [Stay]) -> Int {
        reports.count { report in
            phone.addresses.contains(report.address)
                && stays.contains { $0.start <= report.instant && report.instant <= $0.end }
        }
    }

    /// The first contradiction between the log and what was true; nil if there is none.
    var contradiction: String? {
        for (number, track) in tracks.sorted(by: { $0.key < $1.key }) {
            // An advert with an attacker's pseudo address begins an encounter of the attacker, whatever its
            // address. The log shows that pseudo address.
            let phone = phones.first { phone in
                phone.addresses.contains(track.address)
                    && track.pseudoAddresses.isSubset(of: phone.pseudoAddresses)
            }
            guard let phone else { continue }
            if let other = track.read.first(where: { !phone.payloads.contains($0) }) {
                return "\(phone.name), encounter \(number), was recorded as having been read as "
                    + (other == AttackPlan.foreignPayload ? "the attacker's" : "another identity")
            }
            for sample in track.samples {
                if let text = contradiction(of: sample, by: phone) { return text }
            }
        }
        if coveredReports > reportCount {
            return "coverage counts \(coveredReports) reports, the controller gave \(reportCount)"
        }
        return nil
    }

    /// Whether a sample has readings that the controller did not measure.
    private func contradiction(of sample: SampleEntry, by phone: Phone) -> String? {
        let measured = reports.filter { report in
            sample.start <= report.instant && report.instant <= sample.end
                && (phone.addresses.contains(report.address)
                    || phone.pseudoAddresses.contains { report.names($0) })
        }
        let name = "\(phone.name), sample at \(sample.start.milliseconds) ms"
        if Int(sample.readings) > measured.count {
            return "\(name): \(sample.readings) readings, the controller measured \(measured.count)"
        }
        guard let least = measured.map(\.dBm).min(), let most = measured.map(\.dBm).max() else {
            return "\(name): the controller measured nothing"
        }
        if sample.minimumRSSIDBm < least || sample.maximumRSSIDBm > most {
            return "\(name): \(sample.minimumRSSIDBm)…\(sample.maximumRSSIDBm) dBm, measured were "
                + "\(least)…\(most)"
        }
        return nil
    }
}
