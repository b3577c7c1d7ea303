import Archive
import CommandLineText
import Foundation
import Reports

extension Listing {
    /// Writes rows for programs, one at a time.
    ///
    /// - Parameter rows: calls its argument with each row, as long as that says that the next one is wanted.
    func write<Row: StreamedRow>(
        _ rows: ((Row) -> Bool) throws(ArchiveError) -> Void
    ) throws(Failure) {
        let stream = try openStream()
        var list = PrintedJSON.List(Row.schema)
        if format == .csv { try stream.write(Data(Row.csvHeader)) }
        var failure: Failure?
        try archiving { () throws(ArchiveError) in
            try rows { row in
                do {
                    try stream.write(format == .csv ? Data(row.csvLine) : list.next(row))
                } catch {
                    failure = error as? Failure ?? Failure(.data, "cannot write a row: \(error)")
                }
                return failure == nil
            }
        }
        if let failure { throw failure }
        if format == .json { try stream.write(list.end) }
        try stream.finish()
    }
}
