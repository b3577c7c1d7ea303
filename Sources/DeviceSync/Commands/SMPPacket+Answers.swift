import Cryptography
import FixedMemory

/// The answers that depend on nothing but their contents.
extension SMPPacket {
    mutating func writeGroupCount() throws(SMPRefusal) {
        try answer { body throws(CapacityError) in
            try body.append(cborMap: 1)
            try body.append(key: "count", unsigned: 4)
        }
    }

    mutating func writeGroupList() throws(SMPRefusal) {
        try answer { body throws(CapacityError) in
            try body.append(cborMap: 1)
            try body.append(cborText: "groups")
            try body.append(cborArray: 4)
            try body.append(cborUnsigned: UInt64(SMPCommand.operatingSystemGroup))
            try body.append(cborUnsigned: UInt64(SMPCommand.fileGroup))
            try body.append(cborUnsigned: UInt64(SMPCommand.enumerationGroup))
            try body.append(cborUnsigned: UInt64(SMPCommand.tabardGroup))
        }
    }

    mutating func writeHashTypes() throws(SMPRefusal) {
        try answer { body throws(CapacityError) in
            try body.append(cborMap: 1)
            try body.append(cborText: "types")
            try body.append(cborMap: 2)
            try body.append(cborText: "sha256")
            try body.append(cborMap: 2)
            try body.append(key: "format", unsigned: 1)
            try body.append(key: "size", unsigned: 32)
            try body.append(cborText: "crc32")
            try body.append(cborMap: 2)
            try body.append(key: "format", unsigned: 0)
            try body.append(key: "size", unsigned: 4)
        }
    }

    mutating func writeKeys(_ keys: BoardPublicKeys) throws(SMPRefusal) {
        try answer { body throws(CapacityError) in
            try body.append(cborMap: 1 + (keys.ownerKey == nil ? 0 : 1) + (keys.operatorKey == nil ? 0 : 1))
            try body.append(key: "board", bytes: keys.board.x963.span)
            if let ownerKey = keys.ownerKey {
                let fingerprint = ownerKey.fingerprint
                try body.append(key: "opening", bytes: fingerprint.span)
            }
            if let operatorKey = keys.operatorKey {
                let fingerprint = operatorKey.fingerprint
                try body.append(key: "operator", bytes: fingerprint.span)
            }
        }
    }

    mutating func writeReport(_ report: MessageReport) throws(SMPRefusal) {
        try answer { body throws(CapacityError) in
            try body.append(cborMap: 5)
            try body.append(key: "id", unsigned: UInt64(report.number))
            try body.append(key: "queued", unsigned: UInt64(report.queuedCount))
            try body.append(key: "left", unsigned: UInt64(report.leftOutCount))
            try body.append(key: "delivered", unsigned: UInt64(report.deliveredCount))
            try body.append(key: "failed", unsigned: UInt64(report.failedCount))
        }
    }
}
