import CXLSXWriter
import Foundation

/// An Office Open XML workbook that libxlsxwriter writes row by row.
final class Workbook {
    /// A row beyond this goes to another sheet. Spreadsheets have 1,048,576.
    static let greatestRowCount = 1_000_000

    private let workbook: UnsafeMutablePointer<lxw_workbook>
    private let headings: UnsafeMutablePointer<lxw_format>?
    private let times: UnsafeMutablePointer<lxw_format>?
    private var sheet: UnsafeMutablePointer<lxw_worksheet>?
    private var isOpen = true

    /// - Parameters:
    ///   - path: of a file that does not exist yet.
    ///   - comments: the properties' comments.
    init(path: String, comments: String) throws(WorkbookError) {
        var options = lxw_workbook_options(constant_memory: 1, tmpdir: nil, use_zip64: 1)
        guard let workbook = workbook_new_opt(path, &options) else { throw .failed("no memory") }
        self.workbook = workbook
        headings = workbook_add_format(workbook)
        format_set_bold(headings)
        times = workbook_add_format(workbook)
        format_set_num_format(times, "yyyy-mm-dd hh:mm:ss")
        // The same data give the same bytes on every day.
        var properties = lxw_doc_properties()
        properties.created = 1
        comments.withCString { comments in
            properties.comments = UnsafeMutablePointer(mutating: comments)
            _ = workbook_set_properties(workbook, &properties)
        }
    }

    deinit { if isOpen { workbook_close(workbook) } }

    /// Adds a sheet with a line of headings, to which rows are written from then on.
    ///
    /// - Parameter widths: of the columns, in characters.
    func addSheet(_ name: String, headings names: [String], widths: [Double]) throws(WorkbookError) {
        guard let sheet = workbook_add_worksheet(workbook, name) else { throw .failed("sheet \(name)") }
        self.sheet = sheet
        for (column, width) in widths.enumerated() {
            try check(worksheet_set_column(sheet, UInt16(column), UInt16(column), width, nil))
        }
        worksheet_freeze_panes(sheet, 1, 0)
        for (column, name) in names.enumerated() {
            try check(worksheet_write_string(sheet, 0, UInt16(column), name, headings))
        }
    }

    /// - Parameter row: counts from one below the headings.
    func write(_ values: [ExportValue], row: Int) throws(WorkbookError) {
        guard let sheet else { return }
        for (column, value) in values.enumerated() {
            let (row, column) = (UInt32(row), UInt16(column))
            switch value {
            case .missing: continue
            case .text(let text): try check(worksheet_write_string(sheet, row, column, text, nil))
            case .integer(let number):
                try check(worksheet_write_number(sheet, row, column, Double(number), nil))
            case .real(let number):
                guard number.isFinite else { continue }
                try check(worksheet_write_number(sheet, row, column, number, nil))
            case .truth(let truth): try check(worksheet_write_boolean(sheet, row, column, truth ? 1 : 0, nil))
            case .time(let milliseconds):
                guard let date = Self.serialDate(milliseconds) else {
                    try check(worksheet_write_string(sheet, row, column, value.plainText, nil))
                    continue
                }
                try check(worksheet_write_number(sheet, row, column, date, times))
            }
        }
    }

    /// Writes the file.
    func close() throws(WorkbookError) {
        isOpen = false
        try check(workbook_close(workbook))
    }

    /// Days since 1899-12-30; nil for a time that spreadsheets cannot show.
    private static func serialDate(_ milliseconds: Int64) -> Double? {
        let days = Double(milliseconds) / 86_400_000 + 25_569
        return (61..<2_958_466).contains(days) ? days : nil
    }

    private func check(_ error: lxw_error) throws(WorkbookError) {
        guard error != LXW_NO_ERROR else { return }
        throw .failed(lxw_strerror(error).map { String(cString: $0) } ?? "error \(error.rawValue)")
    }
}

/// The reason why a workbook could not be written.
enum WorkbookError: Error, CustomStringConvertible {
    case failed(String)

    var description: String {
        switch self {
        case .failed(let reason): reason
        }
    }
}
