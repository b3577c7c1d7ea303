import Archive
import Authority
import FixedMemory
import Schemes
import TextFormats

/// A section of a Herald payload's extended data as text.
public struct HeraldDetail: Encodable, Equatable, Sendable {
    /// Two hexadecimal digits.
    public let code: String
    /// The section's name, such as "area"; "code 7f" for a code that the specification does not define.
    public let name: String
    /// The value in one line, such as "Bar", "-61 dBm" or "2026-11-20T18:00:00Z"; undefined bytes in
    /// hexadecimal.
    public let value: String
    /// True if the specification defines the code and the bytes match its format.
    fileprivate let isRead: Bool

    private enum CodingKeys: CodingKey { case code, name, value }

    init(code: UInt8, value: HeraldSectionValue) {
        self.code = Hexadecimal.text([code])
        let known = HeraldSectionCode(rawValue: code)
        name = known?.text ?? "code \(self.code)"
        isRead =
            switch value {
            case .unknown, .malformed: false
            default: true
            }
        self.value = Self.text(value, of: known)
    }

    /// All sections of a payload, in order.
    public static func all(of payload: [UInt8]) -> [HeraldDetail] {
        var sections = HeraldSections(HeraldPayload.extendedData(of: payload.span))
        var details: [HeraldDetail] = []
        while let section = sections.next() {
            details.append(
                HeraldDetail(
                    code: section.code, value: HeraldSectionValue(code: section.code, bytes: section.bytes)))
        }
        return details
    }

    private static func text(_ value: HeraldSectionValue, of code: HeraldSectionCode?) -> String {
        switch value {
        case .text(let text): harmless(text)
        case .number(let number): text(number, of: code)
        case .time(let seconds): UTCTime.text(UInt64(seconds))
        case .metres(let metres): (code == .rangeError ? "±" : "") + "\(shortest(metres)) m"
        case .coordinates(let latitude, let longitude):
            arc(latitude, "N", "S") + " " + arc(longitude, "E", "W")
        case .data(let bytes): digits(bytes)
        case .unknown(let bytes): digits(bytes)
        case .malformed(let bytes): "malformed (\(digits(bytes)))"
        }
    }

    private static func digits(_ bytes: FixedBuffer<255>) -> String {
        Hexadecimal.text([UInt8](copying: bytes.span))
    }

    private static func text(_ number: Int64, of code: HeraldSectionCode?) -> String {
        switch code {
        case .rssiKind:
            let kinds = ["raw", "sample mean", "running mean", "sample mode", "running mode"]
            return kinds.indices.contains(Int(number)) ? kinds[Int(number)] : "\(number)"
        case .rssiError: return "±\(number)"
        case .lastRSSI, .transmitPower: return "\(number) dBm"
        default: return "\(number)"
        }
    }

    /// The shortest decimal form: 6.5 as "6.5", 6 as "6".
    private static func shortest(_ metres: Float) -> String {
        let text = "\(metres)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    /// Arc minutes as degrees and minutes: 3228 as 53°48'N.
    private static func arc(_ minutes: Int16, _ positive: String, _ negative: String) -> String {
        let (degrees, rest) = minutes.magnitude.quotientAndRemainder(dividingBy: 60)
        return "\(degrees)°\(rest < 10 ? "0" : "")\(rest)'\(minutes < 0 ? negative : positive)"
    }

    /// The text on one line, without characters that could move the cursor or reorder the text.
    private static func harmless(_ text: HeraldText) -> String {
        var line = FixedBuffer<255>()
        // The buffer suffices, because no character is replaced by a longer one.
        try? HeraldLabel.writeHarmless(text.span, to: &line)
        return String(decoding: [UInt8](copying: line.span), as: UTF8.self)
    }
}

extension Identity {
    /// The extended data of a Herald payload; empty for other schemes.
    public var details: [HeraldDetail] { scheme.id == .herald ? HeraldDetail.all(of: payload) : [] }

    /// The extended data that the label lacks, to follow it in lists, such as " [area Bar, disambiguation
    /// 2]". Of unreadable sections it gives only the number. The text between the brackets has at most
    /// 160 characters.
    public var remark: String {
        let details = details
        let isVenue = payload.first.map { HeraldFamily(type: $0) == .venue } ?? false
        let name = details.firstIndex { $0.code == "10" }
        var parts: [String] = []
        for (index, detail) in details.enumerated() where detail.isRead && !(isVenue && index == name) {
            parts.append("\(detail.name) \(detail.value)")
        }
        let unreadCount = details.count { !$0.isRead }
        if unreadCount > 0 {
            parts.append("\(unreadCount) \(unreadCount == 1 ? "section" : "sections") not understood")
        }
        guard !parts.isEmpty else { return "" }
        // A payload has room for more text than fits into a list.
        let text = parts.joined(separator: ", ")
        return " [\(text.count > 160 ? text.prefix(159) + "…" : text)]"
    }
}

extension HeraldSectionCode {
    /// The section's name for people.
    fileprivate var text: String {
        switch self {
        case .version: "version"
        case .rssiKind: "RSSI kind"
        case .rssiError: "RSSI error"
        case .range: "range"
        case .rangeError: "range error"
        case .place: "place"
        case .coordinates: "coordinates"
        case .webMercator: "EPSG 3857"
        case .geocentric: "EPSG 7789"
        case .name: "name"
        case .area: "area"
        case .disambiguation: "disambiguation"
        case .url: "url"
        case .address: "address"
        case .entrySource: "entry source"
        case .sourceVersion: "source version"
        case .company: "company"
        case .companyNumber: "company number"
        case .eventStart: "event start"
        case .eventEnd: "event end"
        case .originData: "data for the origin"
        case .authorityData: "data for the authority"
        case .lastRSSI: "last RSSI of the reader"
        case .transmitPower: "TX power of the reader"
        case .model: "model"
        }
    }
}
