import FixedMemory

/// Group 64: how the board is doing, and its clock with an error bound.
extension SyncResponder {
    func writeStatus<Store: SyncStore & ~Copyable>(
        into packet: inout SMPPacket, store: inout Store
    ) throws(SMPRefusal) {
        let status = store.status
        try packet.answer { body throws(CapacityError) in try status.write(into: &body) }
    }

    func setClock<Store: SyncStore & ~Copyable>(
        _ body: RequestBody, into packet: inout SMPPacket, store: inout Store
    ) throws(SMPRefusal) {
        guard let wall = try body.unsigned("wall") else { throw .invalidValue }
        var errorMilliseconds: UInt32?
        if let error = try body.unsigned("error") {
            guard error <= 0xFFFF_FFFF else { throw .invalidValue }
            errorMilliseconds = UInt32(truncatingIfNeeded: error)
        }
        try asking { () throws(SyncStoreError) in
            try store.setWallClock(milliseconds: wall, errorMilliseconds: errorMilliseconds)
        }
        try packet.answer { body throws(CapacityError) in try body.append(cborMap: 0) }
    }
}
