/// Bytes by which a scheme names someone for a while, as the board wrote them down.
public struct Identity: Hashable, Sendable {
    public let scheme: Scheme
    /// For Herald the payload as read from the peer, header included.
    public let payload: [UInt8]

    public init(scheme: Scheme, payload: [UInt8]) {
        self.scheme = scheme
        self.payload = payload
    }

    public var hexadecimal: String { payload.hexadecimal }
}

/// A family of identities, by the code it has in the log.
public struct Scheme: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let herald = Scheme(rawValue: 1)

    /// The name used on the command line and in exports; a code without a name is shown as it is.
    public var name: String { self == .herald ? "herald" : "scheme-\(rawValue)" }

    public init?(name: String) {
        if name == Self.herald.name {
            self = .herald
        } else if name.hasPrefix("scheme-"), let code = UInt8(name.dropFirst("scheme-".count)) {
            self.init(rawValue: code)
        } else {
            return nil
        }
    }
}

/// A Bluetooth device address: whom the controller heard, for as long as that lasts.
public struct DeviceAddress: Hashable, Sendable {
    /// Six bytes in the order of the air (least significant first).
    public let bytes: [UInt8]
    /// 0 public, 1 random (Bluetooth Core 5.4, Vol 4, Part E, 7.7.65.2).
    public let type: UInt8

    public init(bytes: [UInt8], type: UInt8) {
        self.bytes = bytes
        self.type = type
    }

    /// As people write it: most significant byte first, "C0:01:02:03:04:05".
    public var text: String {
        bytes.reversed().map { [$0].hexadecimal.uppercased() }.joined(separator: ":")
    }
}
