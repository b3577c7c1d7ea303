/// One row of an ``AttributeTable``. Its handle is its position in the table, counted from 1.
public struct Attribute: BitwiseCopyable, Sendable {
    public let type: BluetoothUUID
    public let content: Content

    public enum Content: BitwiseCopyable, Sendable {
        /// `lastHandle` is the handle of the service's last attribute.
        case primaryService(BluetoothUUID, lastHandle: UInt16)
        /// The declaration of a characteristic; its value is at the next handle.
        case characteristic(BluetoothUUID, CharacteristicProperties)
        /// Read-only bytes stored in the table.
        case constant(offset: Int, byteCount: Int)
        /// A value that the server's ``AttributeDelegate`` reads and writes.
        case delegated(ValueIdentifier, CharacteristicProperties)
    }

    /// Whether a client may read the attribute. Declarations are always readable, values if their declaration
    /// allows it.
    public var isReadable: Bool {
        switch content {
        case .primaryService, .characteristic, .constant: true
        case .delegated(_, let properties): properties.contains(.read)
        }
    }
}
