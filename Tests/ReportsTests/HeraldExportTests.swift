import Analysis
import Archive
import Foundation
import Testing

@testable import Reports

@Suite struct HeraldExportTests {
    private static let names = [
        "battery.csv", "contacts.csv", "detection.csv", "encounters.csv", "rssi.csv", "statistics.csv",
        "statistics_didRead.csv",
    ]

    private let log = HeraldLogAssembly().log(of: HeraldWorld.history(), ownPayload: HeraldWorld.ownPayload)

    /// Calls `work` with a folder that is removed afterwards.
    private func inFolder(_ work: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "herald-\(UUID().uuidString)")
            .path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try work(folder)
    }

    private func files(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }

    @Test func `a folder gets all files and no others`() throws {
        try inFolder { folder in
            try HeraldExport().write(log, to: folder + "/deep/Foyer")
            #expect(try files(in: folder + "/deep/Foyer") == Self.names)
            let contacts = try String(contentsOfFile: folder + "/deep/Foyer/contacts.csv", encoding: .utf8)
            #expect(contacts == HeraldWorld.text(.contacts, log))
        }
    }

    @Test func `existing files are replaced only on request`() throws {
        try inFolder { folder in
            try HeraldExport(generation: .first).write(log, to: folder)
            #expect(throws: HeraldExportError.exists(path: folder + "/contacts.csv")) {
                try HeraldExport().write(log, to: folder)
            }
            #expect(
                try String(contentsOfFile: folder + "/contacts.csv", encoding: .utf8)
                    == HeraldWorld.text(.contacts, log, .first))
            try HeraldExport(replacesFiles: true).write(log, to: folder)
            #expect(
                try String(contentsOfFile: folder + "/contacts.csv", encoding: .utf8)
                    == HeraldWorld.text(.contacts, log))
            #expect(try files(in: folder) == Self.names)
        }
    }

    @Test func `an export that is stopped leaves everything unchanged`() throws {
        try inFolder { folder in
            try HeraldExport(generation: .first).write(log, to: folder)
            let before = try String(contentsOfFile: folder + "/contacts.csv", encoding: .utf8)
            #expect(throws: HeraldExportError.stopped) {
                try HeraldExport(replacesFiles: true).write(log, to: folder) { done, total in done < total }
            }
            #expect(try files(in: folder) == Self.names)
            #expect(try String(contentsOfFile: folder + "/contacts.csv", encoding: .utf8) == before)
        }
    }

    @Test func `a write error has the path`() throws {
        try inFolder { folder in
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try Data().write(to: URL(filePath: folder + "/taken"))
            let error = try #require(throws: HeraldExportError.self) {
                try HeraldExport().write(log, to: folder + "/taken")
            }
            guard case .cannotWrite(path: folder + "/taken", let code) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(code == ENOTDIR)
        }
    }

    @Test func `a long log is written in pieces, and the last progress is the total`() throws {
        var log = log
        let row = try #require(log.rows.last)
        log.rows += Array(repeating: row, count: 20_000)
        try inFolder { folder in
            var last = (0, 0)
            var calls = 0
            try HeraldExport().write(log, to: folder) { done, total in
                #expect(done >= last.0)
                last = (done, total)
                calls += 1
                return true
            }
            #expect(last.0 == last.1)
            #expect(last.0 == 3 * log.rows.count)
            #expect(calls >= 15)
        }
    }

    @Test func `folders have the boards' names as far as a file system accepts them`() {
        let names = HeraldExport.folderNames([
            ("Foyer", "aa"), ("Hall/../East", "bb"), ("Twin", "cc"), ("Twin", "dd"), ("", "ee"), ("..", "ff"),
            ("Café №3", "00"), ("a:b", "11"), ("a*b", "22"),
        ])
        #expect(
            names == [
                "Foyer", "Hall_.._East", "Twin-cc", "Twin-dd", "_", "_..", "Café _3", "a_b-11", "a_b-22",
            ])
    }
}
