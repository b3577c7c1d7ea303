import EncounterLog
import FixedMemory
import Foundation
import GRDB

extension TrackDetail {
    init(row: Row) {
        let data: Data = row["value"]
        let kind: UInt8 = row["kind"]
        self.init(
            instant: row["monotonicMilliseconds"], what: What(kind: kind, value: [UInt8](data)))
    }
}

extension TrackDetail.What {
    /// Accepts any value; one that does not have the shape of its kind is kept as raw bytes.
    public init(kind: UInt8, value: [UInt8]) {
        switch PeerDetail(rawValue: kind) {
        case .otherAddress where value.count >= 7:
            self = .address(RecordedAddress(bytes: Array(value.prefix(6)), type: value[6]))
        case .pseudoAddress where value.count >= 6: self = .pseudoAddress(Array(value.prefix(6)))
        case .model: self = .model(String(decoding: value, as: UTF8.self))
        case .manufacturer: self = .manufacturer(String(decoding: value, as: UTF8.self))
        case .writtenRSSI where value.count >= 1: self = .writtenRSSI(dBm: Int(Int8(bitPattern: value[0])))
        default: self = .other(kind: kind, value: value)
        }
    }
}
