import CommandLineText
import Cryptography
import FixedMemory
import Foundation
import LogContents
import Ranging
import TextFormats

/// The walk tests of a calibration: files whose models the command line names, or a table that names them.
struct WalkTestList {
    struct Entry {
        let path: String
        let receiver: String
        let transmitter: String
        /// The occasion; nil for one of its own.
        let session: String?

        var fileName: String { URL(filePath: path).lastPathComponent }
    }

    let entries: [Entry]

    private static let columns = ["file", "receiver", "transmitter", "session"]

    init(files: [String], receiver: String, transmitter: String) {
        entries = files.map {
            Entry(path: $0, receiver: receiver, transmitter: transmitter, session: nil)
        }
    }

    /// - Parameter path: a CSV file with a row for each walk test; its files are beside it.
    init(table path: String) throws(Failure) {
        let table = try Documents.table(path, columns: Self.columns)
        for column in Self.columns.dropLast() where !table.columns.contains(column) {
            throw Failure(
                .data,
                "\(path):1: no column \(column); the first line is \(Self.columns.joined(separator: ","))")
        }
        let folder = URL(filePath: path).deletingLastPathComponent()
        var entries: [Entry] = []
        for (index, row) in table.rows.enumerated() {
            guard let file = row["file"], let receiver = row["receiver"], let transmitter = row["transmitter"]
            else {
                throw Failure(
                    .data, "\(path): row \(index + 1): it needs file, receiver and transmitter")
            }
            entries.append(
                Entry(
                    path: URL(filePath: file, relativeTo: folder).path, receiver: receiver,
                    transmitter: transmitter, session: row["session"]))
        }
        self.entries = entries
    }

    func walkTests() throws(Failure) -> [WalkTest] {
        var tests: [WalkTest] = []
        // A file's name is that of its session, but files of several folders may have one name.
        var sessions = UniqueNames(taken: Set(entries.compactMap(\.session)))
        for entry in entries {
            tests.append(
                try walkTest(entry, session: entry.session ?? sessions.name(like: entry.fileName)))
        }
        return tests
    }

    private func walkTest(_ entry: Entry, session: String) throws(Failure) -> WalkTest {
        let bytes = try Documents.bytes(entry.path)
        let readings: [WalkTest.Reading]
        do throws(WalkTestCSV.Failure) { readings = try WalkTestCSV.readings(in: bytes) } catch {
            throw Failure(.data, "\(entry.path):\(error.line): \(error.problem.text)")
        }
        let digest = [UInt8](copying: SHA256.digest(of: bytes.span).span).hexadecimal
        guard let models = ModelPair(receiver: entry.receiver, transmitter: entry.transmitter) else {
            throw Failure(
                .data,
                "\(entry.path): a model's name must be one line of 1 to \(ModelPair.longestNameBytes) bytes")
        }
        guard ModelPair.isName(session) else {
            throw Failure(
                .data,
                "\(entry.path): session \(PlainText.displayable(session)): write one line of 1 to "
                    + "\(ModelPair.longestNameBytes) bytes in the column session of --runs")
        }
        guard let source = WalkTest.Source(fileName: entry.fileName, sha256: digest),
            let test = WalkTest(session: session, models: models, source: source, readings: readings)
        else {
            throw Failure(.data, "\(entry.path): the file's name has control characters; rename the file")
        }
        return test
    }
}
