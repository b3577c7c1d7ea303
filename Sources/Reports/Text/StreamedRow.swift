/// A row of a list that may be long: printed one at a time, in JSON or as a line of CSV.
public protocol StreamedRow: PrintedRow {
    /// UTF-8, with the line's end.
    static var csvHeader: [UInt8] { get }
    /// UTF-8, with the line's end; fields are empty if unknown.
    var csvLine: [UInt8] { get }
}
