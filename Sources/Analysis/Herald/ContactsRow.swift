/// A row of `contacts.csv`. Its slices share the reader's memory: copy what must last.
public struct ContactsRow: Sendable {
    /// By the clock that wrote the log. Fractions and time zone are ignored, as in Herald's scripts.
    public let seconds: Int64
    public let event: HeraldEvent
    /// A device address, or another identifier of the observer's operating system; empty for a visit.
    public let device: ArraySlice<UInt8>
    public let data: ArraySlice<UInt8>

    public init(seconds: Int64, event: HeraldEvent, device: ArraySlice<UInt8>, data: ArraySlice<UInt8>) {
        self.seconds = seconds
        self.event = event
        self.device = device
        self.data = data
    }
}

public enum ContactsError: Error, Equatable, Sendable {
    /// The file has no header.
    case empty
    /// The first line lacks a column that every generation has.
    case notContacts(missingColumn: String)
    /// The file is text in UTF-16.
    case utf16
}
