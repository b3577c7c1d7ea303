/// A row of a list that may be long: printed one at a time, as an element of a JSON array or as a line of
/// CSV. Later versions only add fields; they never rename or remove one. Every key is always present; unknown
/// values are null.
public protocol StreamedRow: Encodable, Sendable {
    /// UTF-8, with the line's end.
    static var csvHeader: [UInt8] { get }
    /// UTF-8, with the line's end; fields are empty if unknown.
    var csvLine: [UInt8] { get }
}
