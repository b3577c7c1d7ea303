import TextFormats

/// Reads `contacts.csv` of either generation, piece by piece, in memory that does not grow with the file. Any
/// bytes give rows, a count of malformed lines, or a typed error.
public struct ContactsReader: ~Copyable {
    public private(set) var rowCount = 0
    /// The number of malformed lines: too few or too many columns, no time, or no event.
    public private(set) var malformedLineCount = 0
    /// The first malformed line, where the header is line 1; nil if all lines are rows.
    public private(set) var firstMalformedLine: Int?

    private var layout: Layout?
    private var lineNumber = 0
    /// The beginning of a line that is not complete yet.
    private var partial: [UInt8] = []
    private var isOverlong = false
    private var fields: [Range<Int>] = []

    /// A longer line counts as malformed and is not kept.
    public static let maximumLineByteCount = 65_536

    public init() {}

    public mutating func read(
        _ bytes: [UInt8], _ take: (ContactsRow) -> Void
    ) throws(ContactsError) {
        var start = 0
        var index = 0
        while index < bytes.count {
            guard bytes[index] == lineFeed else {
                index += 1
                continue
            }
            if partial.isEmpty, !isOverlong {
                try line(bytes[start..<index], take)
            } else {
                keep(bytes[start..<index])
                try finishPartial(take)
            }
            index += 1
            start = index
        }
        keep(bytes[start...])
    }

    /// Ends the file. Bytes after the last line feed are a line, too.
    public mutating func finish(_ take: (ContactsRow) -> Void) throws(ContactsError) {
        if !partial.isEmpty || isOverlong { try finishPartial(take) }
        guard layout != nil else { throw .empty }
    }

    private mutating func keep(_ bytes: ArraySlice<UInt8>) {
        if isOverlong || partial.count + bytes.count > Self.maximumLineByteCount {
            isOverlong = true
            partial.removeAll()
        } else {
            partial += bytes
        }
    }

    private mutating func finishPartial(_ take: (ContactsRow) -> Void) throws(ContactsError) {
        let bytes = partial
        partial.removeAll(keepingCapacity: true)
        if isOverlong {
            isOverlong = false
            lineNumber += 1
            guard layout != nil else { throw .notContacts(missingColumn: "time") }
            countMalformed()
        } else {
            try line(bytes[...], take)
        }
    }

    private mutating func line(
        _ bytes: ArraySlice<UInt8>, _ take: (ContactsRow) -> Void
    ) throws(ContactsError) {
        lineNumber += 1
        let line = bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes
        guard let layout else {
            guard !ByteOrderMark.isUTF16(line) else { throw .utf16 }
            layout = try Layout(header: ByteOrderMark.skipped(line))
            return
        }
        guard !line.isEmpty else { return }
        HeraldCSV.split(line, at: layout.separator, into: &fields)
        if let row = layout.row(line, fields) {
            rowCount += 1
            take(row)
        } else {
            countMalformed()
        }
    }

    private mutating func countMalformed() {
        malformedLineCount += 1
        firstMalformedLine = firstMalformedLine ?? lineNumber
    }

    private var lineFeed: UInt8 { UInt8(ascii: "\n") }
}

/// The columns of a file, as its header names them.
private struct Layout {
    let separator: UInt8
    private let columnCount: Int
    private let time: Int
    private let device: Int
    private let data: Int
    private let events: [(event: HeraldEvent, column: Int)]

    init(header: ArraySlice<UInt8>) throws(ContactsError) {
        let columns = HeraldCSV.fields(header)
        func index(_ name: String) throws(ContactsError) -> Int {
            guard let index = columns.firstIndex(of: name) else { throw .notContacts(missingColumn: name) }
            return index
        }
        separator = HeraldCSV.separator(of: header)
        columnCount = columns.count
        time = try index("time")
        device = try index("id")
        data = try index("data")
        var events: [(event: HeraldEvent, column: Int)] = []
        for event in HeraldEvent.allCases {
            if HeraldLogGeneration.first.events.contains(event) {
                events.append((event, try index(event.column)))
            } else if let column = columns.firstIndex(of: event.column) {
                events.append((event, column))
            }
        }
        // Measurements come first, because most rows are measurements.
        self.events = events.filter { $0.event == .measure } + events.filter { $0.event != .measure }
    }

    func row(_ line: ArraySlice<UInt8>, _ fields: [Range<Int>]) -> ContactsRow? {
        guard fields.count == columnCount, let seconds = CivilTime.seconds(line[fields[time]]) else {
            return nil
        }
        for (event, column) in events {
            let field = fields[column]
            guard field.count == 1, line[field.lowerBound] == event.digit else { continue }
            return ContactsRow(
                seconds: seconds, event: event, device: line[fields[device]], data: line[fields[data]])
        }
        return nil
    }
}
