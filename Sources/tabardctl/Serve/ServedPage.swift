import Archive
import ArgumentParser
import CommandLineText
import Dashboard
import Reports

/// A page that answers a question of the archive.
protocol ServedPage: Sendable {
    var place: DashboardPage.Place { get }

    /// - Throws: why there is no answer, in the command's words. The page shows it below what it has.
    func fill(_ page: inout DashboardPage, _ fields: FieldList, _ evidence: EvidenceOptions) throws(Failure)
}

extension ServedPage {
    /// Options as a command line would have them.
    static func options<Options: ParsableArguments>(
        _ type: Options.Type, _ fields: FieldList, _ names: [String], flags: [String] = [],
        words: [String] = []
    ) throws(Failure) -> Options {
        try ServedOptions.parse(
            type, ServedOptions.arguments(fields, names, flags: flags) + ["--"] + words)
    }
}

/// The fields of a form as options of a command, so that both mean the same and are refused alike.
enum ServedOptions {
    static func arguments(_ fields: FieldList, _ names: [String], flags: [String] = []) -> [String] {
        names.compactMap { name in fields.text(name).map { "--\(name)=\($0)" } }
            + flags.filter { fields.text($0) != nil }.map { "--\($0)" }
    }

    static func parse<Options: ParsableArguments>(
        _ type: Options.Type, _ arguments: [String]
    ) throws(Failure) -> Options {
        do { return try Options.parse(arguments) } catch {
            let text = Options.message(for: error).split(whereSeparator: \.isNewline).first ?? ""
            throw Failure(.usage, String(text))
        }
    }
}

extension TextTable {
    /// The table for a page.
    func html(_ caption: String) -> String {
        let columns = columns.map {
            PageTable.Column(
                title: $0.title.prefix(1) + $0.title.dropFirst().lowercased(), isNumber: $0.isNumber)
        }
        return PageTable(caption, columns, rows).html()
    }
}

extension DashboardPage {
    mutating func say(_ text: String) {
        content += "<p class=\"answer\">\(Markup.unbroken(Markup.escaped(text)))</p>\n"
    }

    mutating func add(heading: String) { content += "<h2>\(Markup.escaped(heading))</h2>\n" }

    /// A part of a list, what it is, and the links to the other parts.
    mutating func add(
        _ listed: some FootnotedTable, _ cut: PageCut, _ fields: FieldList, absence: String
    ) {
        guard listed.count > 0 else {
            return say(cut.number > 1 ? "there are no more rows" : absence)
        }
        content += listed.table.html(title)
        let part = cut.text(shown: listed.count)
        say(part.isEmpty ? listed.footnote : "\(part); \(listed.footnote)")
        content += cut.links(path, fields)
    }
}

extension PageCut {
    /// - Throws: if the number of the page is none.
    static func of(_ fields: FieldList) throws(Failure) -> PageCut {
        guard let cut = PageCut(fields) else {
            throw Failure(.usage, "page \(fields.text("page") ?? ""): write a number from 1 on")
        }
        return cut
    }
}
