import ArgumentParser
import Cards
import CommandLineText
import Foundation
import KeyFiles
import TextFormats

/// Cards in a row, from the lines of a table. A file beside the table lists the lines that are done.
struct CardRun {
    private let path: String
    private let orders: [(number: Int, order: CardOrder)]
    private let recordPath: String

    /// - Parameter defaults: the options of the command line, for columns that the table leaves empty.
    init(table path: String, defaults: PlaceOptions, from: Int?) throws(Failure) {
        self.path = path
        recordPath = path + ".prepared"
        let table: CardTable
        let text = String(decoding: try Documents.bytes(path), as: UTF8.self)
        do throws(CardError) { table = try CardTable(text: text) } catch {
            throw Failure(.data, "\(path): \(error.message)")
        }
        // The whole table is checked before the first card is written.
        var orders: [(number: Int, order: CardOrder)] = []
        for row in table.rows {
            orders.append((row.number, try Self.order(row, defaults, path)))
        }
        let first: Int
        if let from { first = from } else { first = try Self.firstOpen(recordPath, path) }
        self.orders = orders.filter { $0.number >= first }
        guard !self.orders.isEmpty else {
            throw Failure(
                .usage,
                "\(path): all \(orders.count) cards are prepared (\(recordPath)); repeat one with --from NUMBER"
            )
        }
    }

    private static func order(
        _ row: CardTable.Row, _ defaults: PlaceOptions, _ path: String
    ) throws(Failure) -> CardOrder {
        var given = defaults.values
        for column in CardTable.columns where column != "set" {
            if let text = row[column] { given[column] = text }
        }
        var arguments = given.sorted { $0.key < $1.key }.map { "--\($0.key)=\($0.value)" }
        let assignments =
            defaults.assignments
            + (row["set"] ?? "").split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
        arguments += assignments.map { "--set=\($0)" }
        do {
            let order = CardOrder(settings: try PlaceOptions.parse(arguments).settings)
            try order.settings.check()
            return order
        } catch let failure as Failure {
            throw Failure(.data, "\(path): card \(row.number): \(failure.message)")
        } catch {
            throw Failure(.data, "\(path): card \(row.number): \(PlaceOptions.message(for: error))")
        }
    }

    /// The number of the first card after those that are done.
    private static func firstOpen(_ recordPath: String, _ path: String) throws(Failure) -> Int {
        guard FileManager.default.fileExists(atPath: recordPath) else { return 1 }
        let lines = String(decoding: try Documents.bytes(recordPath), as: UTF8.self).split(separator: "\n")
        guard let last = lines.last else { return 1 }
        guard let number = last.split(separator: "\t").first.flatMap({ Int($0) }) else {
            throw Failure(.data, "\(recordPath): not a list of prepared cards; move it away, or give --from")
        }
        return number + 1
    }

    /// Prepares a card in each folder. With one folder at a terminal, it asks for one card after the other.
    func run(
        folders: [String], prepare: (CardOrder, String) throws(Failure) -> Void
    ) throws(Failure) {
        let asks = folders.count == 1 && Question.canAsk
        for (index, (number, order)) in orders.enumerated() {
            guard asks || index < folders.count else { break }
            let folder = asks ? folders[0] : folders[index]
            if asks {
                let text = "card \(number) of \(path), \(order.settings.summary): insert it"
                guard Question.goesOn(text) else { return }
            }
            try prepare(order, folder)
            try record(number, order)
        }
    }

    private func record(_ number: Int, _ order: CardOrder) throws(Failure) {
        let line =
            "\(number)\t\(UTCTime.text(UInt64(Date().timeIntervalSince1970)))\t\(order.settings.summary)\n"
        do throws(DurableFileError) {
            try DurableFile.append(recordPath, Array(line.utf8), mode: DurableFile.publicMode)
        } catch {
            throw Failure(error)
        }
    }
}
