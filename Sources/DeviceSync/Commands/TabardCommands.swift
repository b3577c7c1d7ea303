import FixedMemory

/// Group 64: the board's status and its clocks: four timestamps, and setting a clock with an error bound.
extension SyncResponder {
    func writeStatus<Store: SyncStore & ~Copyable>(
        into packet: inout SMPPacket, store: inout Store
    ) throws(SMPRefusal) {
        let status = store.status
        try packet.answer { body throws(CapacityError) in try status.write(into: &body) }
    }

    func setClock<Store: SyncStore & ~Copyable>(
        _ body: RequestBody, into packet: inout SMPPacket, store: inout Store, log: inout Store.Log,
        notBefore earliest: Instant
    ) throws(SMPRefusal) {
        guard let wall = try body.unsigned("wall") else { throw .invalidValue }
        var errorMilliseconds: UInt32?
        if let error = try body.unsigned("error") {
            guard error <= 0xFFFF_FFFF else { throw .invalidValue }
            errorMilliseconds = UInt32(truncatingIfNeeded: error)
        }
        let setting = WallClockSetting(
            time: WallClockTime(milliseconds: wall), errorMilliseconds: errorMilliseconds,
            moment: try moment(body, &store, notBefore: earliest))
        try asking { () throws(SyncStoreError) in try store.setWallClock(setting, log: &log) }
        try packet.answer { body throws(CapacityError) in try body.append(cborMap: 0) }
    }

    /// Returns the moment on the board's clock to which a time belongs; nil if the client does not give it.
    /// The request must have both fields or neither, because one alone could mean a moment of another
    /// start.
    ///
    /// The moment of a signed command is not before its nonce. Otherwise a device between board and host
    /// could claim an earlier one, and the host would sign its present time for that.
    private func moment<Store: SyncStore & ~Copyable>(
        _ body: RequestBody, _ store: inout Store, notBefore earliest: Instant
    ) throws(SMPRefusal) -> BoardMoment? {
        let milliseconds = try body.unsigned("ms")
        let boot = try body.unsigned("boot")
        guard let milliseconds, let boot else {
            guard milliseconds == nil, boot == nil else { throw .invalidValue }
            return nil
        }
        guard boot == store.status.bootIdentifier else { throw .clockOfAnotherStart }
        let instant = Instant(milliseconds: milliseconds)
        guard instant <= store.now, instant >= earliest else { throw .invalidValue }
        return BoardMoment(bootIdentifier: boot, instant: instant)
    }

    /// Writes when the request arrived and the current time, so that the client can subtract the time
    /// between them.
    func writeTime<Store: SyncStore & ~Copyable>(
        into packet: inout SMPPacket, store: inout Store
    ) throws(SMPRefusal) {
        let status = store.status
        let now = max(status.instant, store.now)
        try packet.answer { body throws(CapacityError) in
            try body.append(cborMap: 3)
            try body.append(key: "boot", unsigned: status.bootIdentifier)
            try body.append(key: "in", unsigned: status.instant.milliseconds)
            try body.append(key: "out", unsigned: now.milliseconds)
        }
    }
}
