import FixedMemory

/// Groups 0 and 10: echo, parameters, date and time, and the list of groups.
extension SyncResponder {
    func writeDateTime<Store: SyncStore & ~Copyable>(
        into packet: inout SMPPacket, store: inout Store
    ) throws(SMPRefusal) {
        guard let time = store.wallClock else { throw .clockNotSet }
        try packet.answer { body throws(CapacityError) in
            var text = FixedBuffer<1024>()
            try DateTimeText.write(time, into: &text)
            try body.append(cborMap: 1)
            try body.append(key: "datetime", text: text.span)
        }
    }

    func setDateTime<Store: SyncStore & ~Copyable>(
        _ body: RequestBody, into packet: inout SMPPacket, store: inout Store, log: inout Store.Log
    ) throws(SMPRefusal) {
        guard let text = try body.text("datetime") else { throw .invalidValue }
        guard let time = DateTimeText.time(text) else { throw .dateTimeFormat }
        try asking { () throws(SyncStoreError) in
            try store.setWallClock(WallClockSetting(time: time), log: &log)
        }
        try packet.answer { body throws(CapacityError) in try body.append(cborMap: 0) }
    }
}

extension SMPPacket {
    mutating func writeEcho(_ body: RequestBody) throws(SMPRefusal) {
        guard let text = try body.text("d") else { throw .invalidValue }
        do throws(CapacityError) {
            try append(cborMap: 1)
            try append(key: "r", text: text)
        } catch {
            throw .answerTooLarge
        }
    }

    mutating func writeParameters(packetByteCount: Int) throws(SMPRefusal) {
        let byteCount = UInt64(truncatingIfNeeded: packetByteCount)
        try answer { body throws(CapacityError) in
            try body.append(cborMap: 2)
            try body.append(key: "buf_size", unsigned: byteCount)
            try body.append(key: "buf_count", unsigned: 1)
        }
    }
}
