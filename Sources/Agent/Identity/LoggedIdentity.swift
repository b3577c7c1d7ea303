import FixedMemory
import HCI
import Protocols
import Schemes

/// The identity that the log has for the board: only changes are logged.
struct LoggedIdentity {
    /// The board's address; nil while it has no identity in Herald.
    private(set) var address: DeviceAddress?
    private var schemes = OwnSchemes()

    /// The board's value in a scheme, if it is not the logged one. It then counts as logged.
    mutating func takeChange(of scheme: SchemeID, in own: OwnIdentity) -> OwnSchemes.Value? {
        let value = own.schemes[scheme]
        defer { schemes[scheme] = value }
        return value.isEmpty || value == schemes[scheme] ? nil : value
    }

    /// Whether the board has another address, or no identity any more. It then counts as logged.
    mutating func takeAddressChange(in own: OwnIdentity) -> Bool {
        let new = own.isAnonymous ? nil : own.address
        defer { address = new }
        return new != address
    }
}
