import Archive
import Authority
import EncounterLog
import FixedMemory
import Foundation
import Schemes
import TextFormats

/// A Herald payload with all readable fields, as `tabardctl payload` prints it. Later versions only add
/// fields; they never rename or remove one.
public struct HeraldPayloadDocument: PrintedRow {
    public static let schema = PrintedSchema("herald-payloads")

    public let hexadecimal: String
    public let base64: String
    /// The content of the payload's QR code.
    public let uri: String
    public let byteCount: Int
    /// The label in lists.
    public let label: String
    /// "venue", "simple", "fixed", or the name of the payload family.
    @NullIfUnknown public private(set) var kind: String?
    /// The first byte: two hexadecimal digits.
    public let type: String
    @NullIfUnknown public private(set) var country: Int?
    @NullIfUnknown public private(set) var state: Int?
    @NullIfUnknown public private(set) var location: UInt32?
    @NullIfUnknown public private(set) var client: UInt64?
    /// Hexadecimal.
    @NullIfUnknown public private(set) var identifier: String?
    /// True if the identifier means that the sender's keys ran out; null without an identifier.
    @NullIfUnknown public private(set) var isExpired: Bool?
    @NullIfUnknown public private(set) var routingIdentifier: UInt32?
    /// The reason if the payload cannot be parsed; otherwise null.
    @NullIfUnknown public private(set) var refusal: String?
    public let extended: [HeraldDetail]
    /// The number of bytes at the end that are not a section of extended data.
    public let restByteCount: Int

    public init(_ payload: [UInt8]) {
        hexadecimal = payload.hexadecimal
        base64 = Base64.text(payload)
        uri = HeraldPayloadText.uri(of: payload)
        byteCount = payload.count
        label = Identity(scheme: SchemeCode(.herald), payload: payload).label
        type = payload.prefix(1).map { Hexadecimal.text([$0]) }.joined()
        extended = HeraldDetail.all(of: payload)
        var sections = HeraldSections(HeraldPayload.extendedData(of: payload.span))
        while sections.next() != nil {}
        restByteCount = sections.restCount
        kind = nil
        country = nil
        state = nil
        location = nil
        client = nil
        identifier = nil
        isExpired = nil
        routingIdentifier = nil
        refusal = nil
        do throws(HeraldPayloadError) {
            switch try HeraldPayload(parsing: payload.span) {
            case .venue(let venue):
                setHeader("venue", venue.country, venue.state)
                location = venue.location
            case .simple(let simple):
                setHeader("simple", simple.country, simple.state)
                identifier = Hexadecimal.text(simple.identifier.array)
                isExpired = simple.isExpired
            case .fixed(let fixed):
                setHeader("fixed", fixed.country, fixed.state)
                client = fixed.client
            case .routed(_, let routing):
                kind = "routed"
                routingIdentifier = routing
            case .other(let header):
                setHeader("\(header.family.name)", header.country, header.state)
            }
        } catch {
            refusal = error.text
        }
    }

    /// Encodes the documents as a JSON list in UTF-8 with a final line feed.
    public static func json(_ documents: [HeraldPayloadDocument]) throws -> Data {
        try PrintedJSON.data(rows: documents)
    }

    private mutating func setHeader(_ kind: String, _ country: UInt16, _ state: UInt16) {
        self.kind = kind
        self.country = Int(country)
        self.state = Int(state)
    }

    /// One line per field, with names and values in columns.
    public var text: String {
        var rows: [(String, String)] = [("hex", hexadecimal), ("base64", base64), ("uri", uri)]
        rows.append(("bytes", "\(byteCount)"))
        rows.append(("kind", (kind ?? "unreadable") + " (type \(type))"))
        if let refusal { rows.append(("", refusal)) }
        if let country { rows.append(("country", "\(country)")) }
        if let state { rows.append(("state", "\(state)")) }
        if let location { rows.append(("location", "\(location)")) }
        if let client { rows.append(("client", "\(client)")) }
        if let identifier { rows.append(("identifier", identifier)) }
        if isExpired == true {
            rows.append(("", "all zeros: the sender's keys ran out, so it identifies no device"))
        }
        if let routingIdentifier { rows.append(("routing", "\(routingIdentifier)")) }
        rows += extended.map { ($0.name, $0.value) }
        if restByteCount > 0 { rows.append(("", "\(restByteCount) unreadable bytes at the end")) }
        let width = rows.map(\.0.count).max() ?? 0
        return rows.map { name, value in
            name + String(repeating: " ", count: width - name.count + 2) + value
        }.joined(separator: "\n")
    }
}

extension HeraldPayloadError {
    /// The reason why a payload cannot be parsed, as text.
    fileprivate var text: String {
        switch self {
        case .tooShort: "shorter than its fixed part"
        case .headerMissing: "no country and state"
        case .otherFamily: "of another payload family"
        case .tooLong: "too long for its kind"
        case .notUTF8: "a text in it is not UTF-8"
        }
    }
}
