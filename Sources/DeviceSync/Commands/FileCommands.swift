import FixedMemory

/// Group 8: files, read-only.
extension SyncResponder {
    /// The size of a download answer without its data: three keys, two numbers and three heads.
    private static let downloadOverhead = 40

    mutating func writeDownload<Store: SyncStore & ~Copyable>(
        _ body: RequestBody, into packet: inout SMPPacket, store: inout Store, log: inout Store.Log
    ) throws(SMPRefusal) {
        let path = try body.path()
        guard let offset = try body.unsigned("off") else { throw .invalidValue }
        if offset == 0 { store.prepare(path: path.span, log: &log) }
        let byteCount = try asking { () throws(SyncStoreError) in
            try store.fileByteCount(path: path.span, log: &log)
        }
        guard offset <= byteCount else { throw .fileOffsetPastEnd }
        if offset == 0 { download = FileDownload(path: path, byteCount: byteCount) }
        let end = try download.end(path: path.span, offset: offset, byteCount: byteCount)

        let room = min(slice.count, packet.freeCount - Self.downloadOverhead)
        let wanted = Int(truncatingIfNeeded: min(end - offset, UInt64(truncatingIfNeeded: room)))
        var count = 0
        if wanted > 0 {
            var free = slice.mutableSpan
            var part = free._mutatingExtracting(first: wanted)
            do throws(SyncStoreError) {
                count = try store.readFile(path: path.span, offset: offset, into: &part, log: &log)
            } catch {
                throw SMPRefusal(error)
            }
            guard (1...wanted).contains(count) else { throw .fileReadFailed }
        }
        let data = slice.span.extracting(first: count)
        do throws(CapacityError) {
            try packet.append(cborMap: offset == 0 ? 3 : 2)
            try packet.append(key: "off", unsigned: offset)
            try packet.append(key: "data", bytes: data)
            if offset == 0 { try packet.append(key: "len", unsigned: byteCount) }
        } catch {
            throw .answerTooLarge
        }
    }

    func writeFileStatus<Store: SyncStore & ~Copyable>(
        _ body: RequestBody, into packet: inout SMPPacket, store: inout Store, log: inout Store.Log
    ) throws(SMPRefusal) {
        let path = try body.path()
        store.prepare(path: path.span, log: &log)
        let byteCount = try asking { () throws(SyncStoreError) in
            try store.fileByteCount(path: path.span, log: &log)
        }
        try packet.answer { body throws(CapacityError) in
            try body.append(cborMap: 1)
            try body.append(key: "len", unsigned: byteCount)
        }
    }

    /// Checks the request and starts a job, which ``step(store:log:)`` continues.
    mutating func startHash<Store: SyncStore & ~Copyable>(
        _ header: SMPHeader, _ body: RequestBody, store: inout Store, log: inout Store.Log
    ) throws(SMPRefusal) {
        let path = try body.path()
        var type = FileHashType.sha256
        if let name = try body.text("type") {
            guard let known = FileHashType(name) else { throw .hashTypeNotFound }
            type = known
        }
        let offset = try body.unsigned("off") ?? 0
        let limit = try body.unsigned("len") ?? .max
        store.prepare(path: path.span, log: &log)
        let byteCount = try asking { () throws(SyncStoreError) in
            try store.fileByteCount(path: path.span, log: &log)
        }
        guard offset <= byteCount else { throw .fileOffsetPastEnd }
        job.start(header, type, path: path, offset: offset, byteCount: min(limit, byteCount - offset))
    }

    func writeHash(_ hash: FileHash, into packet: inout SMPPacket) throws(SMPRefusal) {
        let offset = job.offset
        let byteCount = job.byteCount
        let name = job.type.name
        try packet.answer { body throws(CapacityError) in
            try body.append(cborMap: offset == 0 ? 3 : 4)
            try body.append(key: "type", text: name)
            if offset != 0 { try body.append(key: "off", unsigned: offset) }
            try body.append(key: "len", unsigned: byteCount)
            switch hash {
            case .sha256(let digest): try body.append(key: "output", bytes: digest.span)
            case .crc32(let checksum): try body.append(key: "output", unsigned: UInt64(checksum))
            }
        }
    }

}
