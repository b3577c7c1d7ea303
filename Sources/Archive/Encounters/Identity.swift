import EncounterLog
import FixedMemory
import Schemes

/// The bytes by which a scheme identifies a peer for some time, as the board recorded them.
///
/// Two identities are equal if they name the same peer. A Sonar payload has a time and an authentication code
/// after the name; these differ at each read and do not count.
public struct Identity: Hashable, Sendable {
    public var scheme: SchemeCode
    /// For Herald, the payload as read from the peer, header included. Empty if the identity is lost.
    public var payload: [UInt8]
    /// The hash of a lost identity, of which every page is lost. Equal hashes mean the same identity.
    public let lostHash: IdentityHash?

    public init(scheme: SchemeCode, payload: [UInt8]) {
        self.scheme = scheme
        self.payload = payload
        lostHash = nil
    }

    public init(lost hash: IdentityHash, scheme: SchemeCode) {
        self.scheme = scheme
        payload = []
        lostHash = hash
    }

    /// The part of the payload that identifies the peer.
    var name: ArraySlice<UInt8> {
        scheme.id == .sonar ? payload.prefix(SonarBroadcastValue.byteCount) : payload[...]
    }

    public static func == (left: Self, right: Self) -> Bool {
        left.scheme == right.scheme && left.name == right.name && left.lostHash == right.lostHash
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(scheme)
        hasher.combine(name)
        hasher.combine(lostHash)
    }

    /// The bytes that equal identities of one scheme have in common, and no others.
    public var distinguishingBytes: [UInt8] { Array(name) + (lostHash?.bytes ?? []) }

    public var hexadecimal: String { payload.hexadecimal }

    /// The hash by which log entries refer to the identity.
    var hash: IdentityHash {
        lostHash ?? IdentityHash(scheme: scheme, identity: FixedBuffer(payload.span) ?? FixedBuffer())
    }

    /// False for a payload that many peers send alike, such as that of a Herald phone whose keys ran out.
    /// Also false for a lost identity, which may be such a payload.
    public var namesSomeone: Bool {
        guard lostHash == nil else { return false }
        guard scheme.id == .herald else { return true }
        do throws(HeraldPayloadError) {
            return try HeraldPayload(parsing: payload.span).isIdentity
        } catch {
            // The payload is not valid, but equal bytes still come from the same sender.
            return !payload.isEmpty
        }
    }

    /// A one-line label for lists, without control characters: "826/4/123456 Adams Pizza".
    public var label: String {
        if let lostHash { return "\(scheme.label), identity lost (\(lostHash.bytes.hexadecimal))" }
        guard scheme.id == .herald else { return "\(scheme.label) \(hexadecimal.prefix(12))" }
        var text = FixedBuffer<320>()
        do throws(CapacityError) {
            try HeraldLabel.write(payload.span, to: &text)
        } catch {
            return "\(scheme.label) \(hexadecimal.prefix(12))"
        }
        return String(decoding: [UInt8](copying: text.span), as: UTF8.self)
    }

    /// Whether the text is the first hexadecimal digits of the identity, its label, or the label's last word.
    public func isMeant(by text: String) -> Bool {
        hexadecimal.hasPrefix(text.lowercased()) || label == text
            || label.split(separator: " ").last.map(String.init) == text
    }
}

extension SchemeCode {
    /// The name used on the command line and in exports; an unnamed code is shown as its number.
    public var label: String { id.map { "\($0.name)" } ?? "scheme-\(rawValue)" }

    /// Parses a ``label``.
    public init?(label: String) {
        if let known = Self.named.first(where: { $0.label == label }) {
            self = known
        } else if label.hasPrefix("scheme-"), let code = UInt8(label.dropFirst("scheme-".count)) {
            self.init(rawValue: code)
        } else {
            return nil
        }
    }

    /// All schemes that have a name.
    public static var named: [SchemeCode] { (UInt8.min...UInt8.max).map(Self.init).filter { $0.id != nil } }
}

/// A Bluetooth device address: identifies the heard device until it changes its address.
public struct RecordedAddress: Hashable, Sendable {
    /// Six bytes in on-air order (least significant first).
    public let bytes: [UInt8]
    /// 0 public, 1 random (Bluetooth Core 5.4, Vol 4, Part E, 7.7.65.2).
    public let type: UInt8

    public init(bytes: [UInt8], type: UInt8) {
        self.bytes = bytes
        self.type = type
    }

    /// The usual notation, most significant byte first: "C0:01:02:03:04:05".
    public var text: String {
        let digits = Array("0123456789ABCDEF".utf8)
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count * 3)
        for byte in bytes.reversed() {
            if !text.isEmpty { text.append(UInt8(ascii: ":")) }
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }
}
