import Archive
import EncounterLog
import FixedMemory
import Foundation
import LogContents
import TestSupport

/// A change that a courier makes to an archive. Each is of another kind.
struct CourierEdit: CustomStringConvertible, Sendable {
    let description: String
    /// True if the result is an older true copy of the archive.
    var isOlderCopy = false
    let apply: @Sendable (CourierFile) throws -> Void

    init(
        _ description: String, isOlderCopy: Bool = false,
        _ apply: @escaping @Sendable (CourierFile) throws -> Void
    ) {
        self.description = description
        self.isOlderCopy = isOlderCopy
        self.apply = apply
    }

    static let all =
        appended + cut + changedPages + restarted + foreign + rows + manifests + derived + schema

    static let appended: [CourierEdit] = [
        .init("a chained page in clear behind the end of a sealed log") { file in
            let end = try file.last()
            try file.append(to: end) { CourierFile.clearPage(at: end, $0, after: $1?.chainValue) }
        },
        .init("a page in clear without a link behind the end of a sealed log") { file in
            let end = try file.last()
            try file.append(to: end) { offset, _ in CourierFile.clearPage(at: end, offset, after: nil) }
        },
        .init("a page in clear of another epoch behind the end of a sealed log") { file in
            let end = try file.last()
            try file.append(to: end) {
                CourierFile.clearPage(at: end, $0, after: $1?.chainValue, number: 0, epoch: 5)
            }
        },
        .init("a page in clear in a blank block of an earlier segment") { file in
            let ordinal = try file.middle()
            try file.append(to: ordinal) { CourierFile.clearPage(at: ordinal, $0, after: $1?.chainValue) }
        },
        .init("a page without a link in a blank block of an earlier segment") { file in
            let ordinal = try file.middle()
            try file.append(to: ordinal) { offset, _ in
                CourierFile.clearPage(at: ordinal, offset, after: nil)
            }
        },
        .init("a new segment with a part of a page in clear") { file in
            let ordinal = try file.last() + 1
            try file.store(CourierFile.clearPage(at: ordinal, 0, after: Bytes()), ordinal)
        },
        .init("a new segment with a page in clear") { file in
            let ordinal = try file.last() + 1
            let page = CourierFile.clearPage(at: ordinal, 0, after: Bytes())
            try file.store(page + [UInt8](repeating: 0xff, count: 1_024 - page.count), ordinal)
        },
        .init("a page of the log, again, behind its end") { file in
            let end = try file.last()
            let bytes = try file.bytes(end)
            let place = try file.pages(end)[0]
            try file.append(to: end) { offset, _ in
                PageForge.sealed(Array(bytes[place.range]), ordinal: end, byteOffset: offset)
            }
        },
        .init("a chained page behind the end of a log in clear") { file in
            let end = try file.last(CourierFile.clear)
            try file.append(to: end, CourierFile.clear) {
                CourierFile.clearPage(at: end, $0, after: $1?.chainValue)
            }
        },
    ]

    private static let cut: [CourierEdit] = [
        .init("the first segment removed") { try $0.delete([0]) },
        .init("a segment in the middle removed") { try $0.delete([$0.middle()]) },
        .init("the last segment removed") { try $0.delete([$0.last()]) },
        .init("the end of the last segment removed") { file in
            let end = try file.last()
            let place = try file.pages(end).last
            try file.change(end) { $0.removeSubrange((place?.byteOffset ?? 0)...) }
        },
        .init("a page blanked") { file in
            let ordinal = try file.middle()
            let place = try file.pages(ordinal)[2]
            try file.change(ordinal) {
                $0.replaceSubrange(place.range, with: repeatElement(0xff, count: place.byteCount))
            }
        },
        .init("a page overwritten with noise") { file in
            let ordinal = try file.middle()
            let place = try file.pages(ordinal)[2]
            try file.change(ordinal) {
                $0.replaceSubrange(place.range, with: repeatElement(0x5a, count: place.byteCount))
            }
        },
        .init("all segments before the middle removed, and said to be forgotten") { file in
            let middle = try file.middle()
            try file.delete(0..<middle)
            try file.run("INSERT INTO forgotten VALUES (1, ?, 1795262400000, x'00')", [middle])
        },
        .init("a segment removed, and said to be overwritten for want of room") { file in
            let middle = try file.middle()
            try file.delete([middle])
            try file.run(
                "INSERT INTO gap SELECT id, 1, 1, 0, ?, 1, 8192, 1, 9, 1, 0, 1, 0 FROM boot LIMIT 1", [middle]
            )
        },
        .init("cut back to the earlier manifest", isOlderCopy: true) { file in
            for (board, row) in [(file.world.sealed, CourierFile.sealed)] {
                let fetch = board.fetches[0]
                try file.delete(file.ordinals(row).filter { $0 > fetch.head.position.segmentOrdinal }, row)
                for segment in fetch.segments { try file.store(segment.bytes, segment.ordinal, row) }
                try file.run(
                    "DELETE FROM manifest WHERE boardID = ? AND statement = ?",
                    [row, Data(board.fetches[1].manifest.statement)])
                for table in ["anchor", "track", "page"] {
                    let key =
                        table == "page"
                        ? "segmentID IN (SELECT id FROM segment WHERE boardID = \(row))"
                        : "bootID IN (SELECT id FROM boot WHERE boardID = \(row))"
                    try file.run("DELETE FROM \(table) WHERE \(key)")
                }
                try file.run("DELETE FROM boot WHERE boardID = ?", [row])
                try file.run("DELETE FROM ownKey WHERE boardID = ? AND bootIdentifier = 2", [row])
                try file.run("DELETE FROM clockReading WHERE boardID = ? AND bootIdentifier = 2", [row])
            }
        },
    ]
}
