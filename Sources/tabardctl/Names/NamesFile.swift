import Archive
import CommandLineText
import Foundation
import KeyFiles
import Reports
import TextFormats

/// A file with the names of boards and people: CSV with the columns `id`, `name`, `group`, `age`, `sex` and
/// `model`. Only `id` is needed.
struct NamesFile {
    struct Row {
        /// Counts the rows from one, without the line of column names.
        let number: Int
        let id: String
        let label: Label
    }

    /// The rows' labels by board and identity.
    struct Contents {
        var labels: [LabelSubject: Label] = [:]
        /// The ids that are in no log.
        var unknown: [String] = []
    }

    let path: String
    let rows: [Row]

    private static let columns = ["id", "name", "group", "age", "sex", "model"]
    /// A list of `tabardctl label --csv` may be given back; an id says its scheme already.
    private static let ignoredColumns = ["scheme"]

    init(_ path: String) throws(Failure) {
        self.path = path
        let table = try Documents.table(path, columns: Self.columns + Self.ignoredColumns)
        guard table.columns.contains("id") else {
            throw Failure(
                .data, "\(path):1: no column id; the first line is \(Self.columns.joined(separator: ","))")
        }
        var rows: [Row] = []
        var numbers: [String: Int] = [:]
        for (index, values) in table.rows.enumerated() {
            let row = try Self.row(values, number: index + 1, path)
            if let earlier = numbers.updateValue(row.number, forKey: row.id.lowercased()) {
                throw Failure(.data, "\(path): row \(row.number): \(row.id) is in row \(earlier) already")
            }
            rows.append(row)
        }
        guard !rows.isEmpty else { throw Failure(.data, "\(path): no row below the line of column names") }
        self.rows = rows
    }

    func contents(in archive: Archive) throws(Failure) -> Contents {
        var search = try LabelSearch(archive)
        var contents = Contents()
        var numbers: [LabelSubject: Int] = [:]
        for row in rows {
            switch try search.subject(row.id) {
            case .found(let subject):
                contents.labels[subject] = row.label
                if let earlier = numbers.updateValue(row.number, forKey: subject) {
                    throw Failure(
                        .data, "\(path): row \(row.number): \(row.id) is the same as the id in row \(earlier)"
                    )
                }
            case .ambiguous(let names):
                throw Failure(
                    .data,
                    "\(path): row \(row.number): \(row.id) may be \(names.prefix(3).joined(separator: " or ")); "
                        + "write more digits")
            case .unknown: contents.unknown.append(row.id)
            }
        }
        guard !contents.labels.isEmpty else {
            throw Failure(
                .data,
                "\(path): none of its ids is in a log; an id is a board's name, or the first "
                    + "\(LabelSearch.fewestDigits) or more digits of a log identity or identity")
        }
        return contents
    }

    private static func row(_ values: [String: String], number: Int, _ path: String) throws(Failure) -> Row {
        // A list of `tabardctl label --csv` may be given back.
        let values = values.mapValues(CSVLine.original)
        func wrong(_ reason: String) -> Failure { Failure(.data, "\(path): row \(number): \(reason)") }
        guard let id = values["id"] else { throw wrong("no id") }
        var label = Label(
            name: values["name"], group: values["group"], sex: values["sex"], model: values["model"])
        if let age = values["age"], age.uppercased() != "NA" {
            guard let years = Int(age), Label.ages.contains(years) else {
                throw wrong("age \(PlainText.displayable(age)): write years from 0 to 130, or NA")
            }
            label.ageYears = years
        }
        if label.group == "NA" { label.group = nil }
        if label.sex == "NA" { label.sex = nil }
        if label.model == "NA" { label.model = nil }
        guard label.isValid else {
            throw wrong(
                "a text has control characters, or more than \(Label.longestText) characters "
                    + "(a model: \(Label.longestModelBytes) bytes)")
        }
        return Row(number: number, id: id, label: label)
    }
}

extension NamesFile {
    /// Gives the names to an archive for this run.
    func give(to archive: inout Archive) throws(Failure) {
        let contents = try contents(in: archive)
        reportUnknown(contents)
        archive.givenLabels = Labels(contents.labels)
    }

    func reportUnknown(_ contents: Contents) {
        guard !contents.unknown.isEmpty else { return }
        let shown = contents.unknown.prefix(5).map(PlainText.displayable).joined(separator: ", ")
        let rest = contents.unknown.count > 5 ? " and others" : ""
        Console.report(
            "\(path): in no log, and left out: \(shown)\(rest) (\(contents.unknown.count) of \(rows.count))")
    }
}
