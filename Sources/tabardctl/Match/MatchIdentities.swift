import Archive
import CommandLineText
import Exposure
import FixedMemory
import Foundation
import Reports

extension MatchOptions {
    /// Searches the archive for identities that follow from published keys, and prints the matches.
    func match<Searched: RecordedScheme>(
        _ keys: [PublishedIdentityKey<Searched.PublishedKey>], of scheme: Searched.Type
    ) throws(Failure) {
        let now = try now()
        let archive = try archive.open(.reading)
        let filter = try filter(in: archive)
        let search: IdentitySearch
        do throws(ArchivedSearchError) {
            search = try IdentitySearch(archive, matching: filter, for: keys, of: scheme, now: now)
        } catch {
            throw Failure(error)
        }
        Self.printNote(search.counts, days: search.retentionDays)
        var document = IdentityMatchDocument(search, now: now)
        document.leftOutPages = try leftOutPageCount(archive)
        let listing = output.listing()
        try listing.write(document) { () throws(Failure) in try print(search, archive, listing) }
        try BoardChoice.requireBoard(in: archive)
    }

    private func print(
        _ search: IdentitySearch, _ archive: Archive, _ listing: Listing
    ) throws(Failure) {
        let searched =
            "\(search.publishedKeyCount) published, \(search.counts.searched) recorded encounters; an "
            + "identity matches within "
            + "\(TimeText.duration(Interval(clamping: Int64(search.toleranceSeconds) * 1_000))) of its time"
        guard !search.matches.isEmpty else {
            Console.note("no match; \(searched)")
            return
        }
        let labels = try BoardChoice.labels(archive)
        let time = TimeText()
        var table = TextTable([
            .init(title: "ENCOUNTER"), .init(title: "ERROR", isNumber: true, narrowing: .wrapped(minimum: 8)),
            .init(title: "DURATION", isNumber: true), .init(title: "KEY"),
            .init(title: "KIND", narrowing: .wrapped(minimum: 10)),
            .init(title: "STRONGEST", isNumber: true, narrowing: .dropped(rank: 2)),
            .init(title: "MEAN", isNumber: true, narrowing: .dropped(rank: 1)),
            .init(title: "BOARD", narrowing: .wrapped(minimum: 6)),
        ])
        for match in search.matches {
            let encounter = match.encounter
            let rssi = RSSISummary(match.samples)
            table.append([
                time.moment(encounter.start, on: encounter.timeline),
                time.error(
                    of: encounter.timeline, encounter.startError,
                    notBefore: encounter.notBefore, notAfter: encounter.notAfter),
                TimeText.duration(encounter.duration), String(match.key.prefix(8)),
                (match.kind ?? "-") + encounter.remark, rssi.map { "\($0.maximumDBm)" } ?? "-",
                rssi.map { String(format: "%.1f", $0.meanDBm) } ?? "-",
                labels[encounter.board] ?? encounter.board.short,
            ])
        }
        listing.print(table)
        try listing.finish()
        Console.note("\(searched); times are \(time.zoneName); strength in dBm")
    }
}
