import CommandLineText
import Foundation
import Reports

/// The output of a command that lists something: on standard output at once, or in a file that is written as
/// a whole.
final class Listing {
    let format: OutputOptions.Format
    /// How to see all of a narrowed table, such as "a wider terminal or --json".
    private let remedy: String
    private let path: String
    private var pending = Data()
    private var notes: [String] = []
    private var isFinished = false

    init(_ format: OutputOptions.Format, to path: String, remedy: String) {
        self.format = format
        self.path = path
        self.remedy = remedy
    }

    /// The width of the terminal that shows the list; nil if nothing is to be fitted.
    private var width: Int? { path == "-" ? Console.width : nil }

    /// Prints text for people, in lines of the terminal's width.
    ///
    /// - Parameter indent: the number of spaces in front of each further line of a long line.
    func print(_ text: String, indent: Int = 4) {
        let lines = PlainText.displayable(text).split(separator: "\n", omittingEmptySubsequences: false)
        add(lines.flatMap { WrappedText.lines(String($0), width: width, indent: indent) })
    }

    func print(_ table: TextTable) {
        let fitted = table.fitted(to: width)
        add([fitted.text])
        if let note = fitted.note(remedy), !notes.contains(note) { notes.append(note) }
    }

    /// Writes the whole list for programs.
    func write(_ data: Data) throws(Failure) { try OutputFile.write(data, to: path) }

    /// Opens the output for a list that is written piece by piece, so that a long one needs little memory.
    func openStream() throws(Failure) -> OutputStream { try OutputStream(to: path) }

    /// Writes the whole list as JSON.
    ///
    /// - Parameter what: the word after "cannot write".
    func write(_ what: String, json: () throws -> Data) throws(Failure) {
        let data: Data
        do { data = try json() } catch { throw Failure(.data, "cannot write \(what) as JSON: \(error)") }
        try write(data)
    }

    /// Writes a document for programs, or calls `text` to print it for people.
    func write(_ document: some PrintedDocument, text: () throws(Failure) -> Void) throws(Failure) {
        switch format {
        case .table:
            try text()
            try finish()
        case .csv: try write(Data(document.csv.utf8))
        case .json: try write("the result") { try document.json() }
        }
    }

    /// Ends a list for people: writes its file, and reports what the terminal's width left out.
    func finish() throws(Failure) {
        guard !isFinished else { return }
        isFinished = true
        if path != "-" { try write(pending) }
        notes.forEach(Console.note)
    }

    private func add(_ lines: [String]) {
        let data = Data(lines.map { $0 + "\n" }.joined().utf8)
        if path == "-" { Console.write(data) } else { pending += data }
    }
}
