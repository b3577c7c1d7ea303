/// A Bluetooth controller behind some transport: whole H4 packets in both directions.
public protocol PacketRadio: ~Copyable {
    /// Takes the next packet that has come, if there is one: ``packet`` then holds it until the next call.
    mutating func receive() throws(RadioError) -> Bool

    /// The received packet with its H4 indicator.
    var packet: Span<UInt8> { @_lifetime(borrow self) get }

    /// Whether ``send(_:)`` would take a packet now.
    var isReadyToSend: Bool { mutating get }

    /// Sends a packet. Call it only if ``isReadyToSend``.
    mutating func send(_ packet: Span<UInt8>) throws(RadioError)

    /// Closes the transport and opens it again.
    mutating func reopen() throws(RadioError)

    /// Closes the transport, so that the controller's power may be switched off.
    mutating func close()

    /// The number of bytes outside any packet since the start: a UART without flow control loses some.
    var skippedByteCount: UInt64 { get }
}

public enum RadioError: Error, BitwiseCopyable, Equatable, Sendable {
    /// The adapter or the other end is gone.
    case gone
    /// The operating system's error number.
    case system(Int32)
}
