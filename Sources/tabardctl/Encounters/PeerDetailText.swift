import Archive
import EncounterLog

/// A detail of a peer as text for people.
enum PeerDetailText {
    static func text(_ detail: PeerDetail, _ value: [UInt8]) -> String {
        switch detail {
        case .otherAddress where value.count == 7:
            "also \(RecordedAddress(bytes: Array(value.prefix(6)), type: value[6]).text) (type \(value[6]))"
        case .pseudoAddress: "pseudo device address \(value.hexadecimal)"
        case .model: "model \(String(decoding: value, as: UTF8.self).debugDescription)"
        case .manufacturer: "made by \(String(decoding: value, as: UTF8.self).debugDescription)"
        case .writtenRSSI where value.count == 1:
            "wrote that it hears the board at \(Int8(bitPattern: value[0])) dBm"
        default: "detail \(detail.rawValue): \(value.hexadecimal)"
        }
    }
}
