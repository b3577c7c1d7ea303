import EncounterLog
import FixedMemory
import Schemes

/// Bytes by which a scheme names someone for a while, as the board wrote them down. Two are equal if they name the same
/// one: Sonar's payload has a time behind the name, and a code over it, which are others each time it is read.
public struct Identity: Hashable, Sendable {
    public var scheme: SchemeCode
    /// For Herald the payload as read from the peer, header included. Empty if it is lost.
    public var payload: [UInt8]
    /// All that is left, when every page is lost that says who it was. Two with the same were the same.
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

    /// By which it names someone.
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

    public var hexadecimal: String { payload.hexadecimal }

    /// By which the log refers to it.
    var hash: IdentityHash {
        lostHash ?? IdentityHash(scheme: scheme, identity: FixedBuffer(payload.span) ?? FixedBuffer())
    }

    /// False for a payload that many send alike, such as that of a Herald phone whose keys ran out, and for one that is lost
    /// and may be such.
    public var namesSomeone: Bool {
        guard lostHash == nil else { return false }
        guard scheme.id == .herald else { return true }
        do throws(HeraldPayloadError) {
            return try HeraldPayload(parsing: payload.span).isIdentity
        } catch {
            // Nothing that is understood, but the same bytes are still the same sender's.
            return !payload.isEmpty
        }
    }

    /// How lists call it, in one line without control characters: "826/4/123456 Adams Pizza".
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
}

extension SchemeCode {
    /// The name used on the command line and in exports; a code without a name is shown as it is.
    public var label: String { id.map { "\($0.name)" } ?? "scheme-\(rawValue)" }

    /// By ``label``.
    public init?(label: String) {
        if let known = Self.named.first(where: { $0.label == label }) {
            self = known
        } else if label.hasPrefix("scheme-"), let code = UInt8(label.dropFirst("scheme-".count)) {
            self.init(rawValue: code)
        } else {
            return nil
        }
    }

    /// All that have a name.
    public static var named: [SchemeCode] { (UInt8.min...UInt8.max).map(Self.init).filter { $0.id != nil } }
}

/// A Bluetooth device address: whom the controller heard, for as long as that lasts.
public struct RecordedAddress: Hashable, Sendable {
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
