/// One row of an ``AttributeTable``. Its handle is its place in the table, from 1.
public struct Attribute: BitwiseCopyable, Sendable {
    public let type: BluetoothUUID
    public let content: Content

    public enum Content: BitwiseCopyable, Sendable {
        /// `lastHandle` is that of the service's last attribute.
        case primaryService(BluetoothUUID, lastHandle: UInt16)
        /// The value stands at the next handle.
        case characteristic(BluetoothUUID, CharacteristicProperties)
        /// Bytes kept in the table; read only.
        case constant(offset: Int, byteCount: Int)
        case delegated(ValueIdentifier, CharacteristicProperties)
    }

    /// Declarations can always be read, values when their declaration says so.
    public var isReadable: Bool {
        switch content {
        case .primaryService, .characteristic, .constant: true
        case .delegated(_, let properties): properties.contains(.read)
        }
    }
}
