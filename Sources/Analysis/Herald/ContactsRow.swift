/// A row of `contacts.csv`. The slices are of the reader's memory: copy what is to be kept.
public struct ContactsRow: Sendable {
    /// Of the clock that wrote the log; fractions and the zone are left aside, as Herald's scripts do.
    public let seconds: Int64
    public let event: HeraldEvent
    /// A device address or whatever else the system of the observer calls a device; empty for a visit.
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
    /// There is not even a header.
    case empty
    /// The first line lacks a column that every generation has.
    case notContacts(missingColumn: String)
}
