import FixedMemory

/// Answers SMP requests: packet in, packet out. Extensions of this type implement the groups.
struct SyncResponder: ~Copyable {
    let packetByteCount: Int
    var job = FileHashJob()
    var envelope = EnvelopeJob()
    var manifest = ManifestJob()
    var secrets = SecretsJob()
    var backup = BackupJob()
    var download = FileDownload()
    var slice = InlineArray<2048, UInt8>(repeating: 0)
    /// The number of bytes in `slice` that are staged for the agent.
    var stagedByteCount = 0
    /// The header of a request that the agent has not answered yet.
    private(set) var asked: SMPHeader?
    private var question: AgentRequest?

    init(packetByteCount: Int) { self.packetByteCount = packetByteCount }

    var hasWork: Bool {
        job.isRunning || envelope.isRunning || manifest.isRunning || secrets.isRunning || backup.isRunning
    }

    /// Discards the client's state: its hash job, its nonce, and its download.
    mutating func forgetClient() {
        dropWork()
        envelope.forgetNonce()
        download = FileDownload()
    }

    enum Outcome {
        case answer(SMPPacket)
        /// The answer needs more steps.
        case pending
        /// The frame holds no request, or its length disagrees with its header.
        case noRequest
    }

    /// Answers the request in `frame`, or starts the work that it needs.
    mutating func receive<Store: SyncStore & ~Copyable>(
        _ frame: Span<UInt8>, store: inout Store, log: inout Store.Log
    ) -> Outcome {
        var reader = ByteReader(frame)
        let header: SMPHeader
        do throws(MalformedPacket) { header = try SMPHeader(&reader) } catch { return .noRequest }
        // The server receives its own answers if the other end's terminal echoes.
        guard header.operation.isRequest, Int(header.bodyByteCount) == reader.remainingCount else {
            return .noRequest
        }
        dropWork()
        var packet = SMPPacket(header.response, limit: packetByteCount)
        do throws(SMPRefusal) {
            guard header.version <= 1 else { throw .versionTooNew }
            let body = try RequestBody(reader.readRest())
            if header.operation == .write, header.address == .signed {
                try openEnvelope(header, body, store: &store)
            } else {
                try checkRight(to: header, body, store: &store)
                try writeAnswer(header, body, for: header, into: &packet, store: &store, log: &log)
            }
        } catch {
            Self.write(error, into: &packet, version: header.version)
        }
        return hasWork || asked != nil ? .pending : .answer(packet)
    }

    private mutating func dropWork() {
        job.cancel()
        envelope.cancel()
        manifest.cancel()
        secrets.cancel()
        backup.cancel(&slice)
        dropRequest()
    }

    mutating func dropRequest() {
        asked = nil
        question = nil
    }

    mutating func ask(_ question: AgentRequest, _ header: SMPHeader) {
        asked = header
        self.question = question
    }

    /// Returns the request that the agent must answer, once.
    mutating func nextRequest() -> AgentRequest? {
        defer { question = nil }
        return question
    }

    /// Answers the request for the agent; nil if another request has replaced it meanwhile.
    mutating func answer(_ result: Result<MessageReport, MessageError>) -> SMPPacket? {
        answerRequest { packet throws(SMPRefusal) in
            switch result {
            case .success(let report): try packet.writeReport(report)
            case .failure(let error): throw SMPRefusal(error)
            }
        }
    }

    mutating func answer(nonce: Bytes<16>, now: Instant) -> SMPPacket? {
        envelope.expect(nonce, now: now)
        return answerRequest { packet throws(SMPRefusal) in
            try packet.answer { body throws(CapacityError) in
                try body.append(cborMap: 1)
                try body.append(key: "nonce", bytes: nonce.span)
            }
        }
    }

    mutating func answer(keys: BoardPublicKeys?) -> SMPPacket? {
        answerRequest { packet throws(SMPRefusal) in
            guard let keys else { throw .unknown }
            try packet.writeKeys(keys)
        }
    }

    /// Starts to sign the statement; the answer follows when it is signed.
    mutating func answer(manifest statement: LogStatement, scalar: Bytes<32>) -> SMPPacket? {
        guard let header = asked else { return nil }
        dropRequest()
        do throws(SMPRefusal) {
            try manifest.start(header, statement, scalar: scalar)
            return nil
        } catch {
            var packet = SMPPacket(header.response, limit: packetByteCount)
            Self.write(error, into: &packet, version: header.version)
            return packet
        }
    }

    mutating func answer(segments: Result<UInt32, SMPRefusal>) -> SMPPacket? {
        answerRequest { packet throws(SMPRefusal) in
            let count = try segments.get()
            try packet.answer { body throws(CapacityError) in
                try body.append(cborMap: 1)
                try body.append(key: "segments", unsigned: UInt64(count))
            }
        }
    }

    @inline(never)
    mutating func answerRequest(
        _ write: (inout SMPPacket) throws(SMPRefusal) -> Void
    ) -> SMPPacket? {
        guard let header = asked else { return nil }
        dropRequest()
        var packet = SMPPacket(header.response, limit: packetByteCount)
        do throws(SMPRefusal) { try write(&packet) } catch {
            Self.write(error, into: &packet, version: header.version)
        }
        return packet
    }

    /// Does a bounded part of a hash, a verification or a signature; returns the answer after the last
    /// part.
    mutating func step<Store: SyncStore & ~Copyable>(
        store: inout Store, log: inout Store.Log
    ) -> SMPPacket? {
        if envelope.isRunning { return stepEnvelope(store: &store, log: &log) }
        if manifest.isRunning { return stepManifest() }
        if secrets.isRunning { return stepSecrets(store: &store) }
        if backup.isRunning { return stepBackup(store: &store) }
        guard job.isRunning else { return nil }
        var packet = SMPPacket(job.request.response, limit: packetByteCount)
        do throws(SMPRefusal) {
            var room = slice.mutableSpan
            guard let hash = try job.step(store: &store, log: &log, slice: &room) else { return nil }
            try writeHash(hash, into: &packet)
        } catch {
            job.cancel()
            Self.write(error, into: &packet, version: job.request.version)
        }
        return packet
    }

    /// Runs `command`. `header` belongs to the packet that the answer is for, which may be an envelope.
    /// - Parameter earliest: The earliest moment that a signed command may refer to.
    mutating func writeAnswer<Store: SyncStore & ~Copyable>(
        _ command: SMPHeader, _ body: RequestBody, for header: SMPHeader, into packet: inout SMPPacket,
        store: inout Store, log: inout Store.Log, notBefore earliest: Instant = .start
    ) throws(SMPRefusal) {
        switch (command.operation, command.address) {
        case (.write, .echo), (.read, .echo): try packet.writeEcho(body)
        case (.read, .parameters): try packet.writeParameters(packetByteCount: packetByteCount)
        case (.read, .dateTime): try writeDateTime(into: &packet, store: &store)
        case (.write, .dateTime): try setDateTime(body, into: &packet, store: &store, log: &log)
        case (.read, .fileTransfer): try writeDownload(body, into: &packet, store: &store, log: &log)
        case (.write, .fileTransfer): throw .fileSystemReadOnly
        case (.read, .fileStatus): try writeFileStatus(body, into: &packet, store: &store, log: &log)
        case (.read, .fileHash): try startHash(header, body, store: &store, log: &log)
        case (.read, .fileHashTypes): try packet.writeHashTypes()
        case (.write, .fileClose):
            try packet.answer { body throws(CapacityError) in try body.append(cborMap: 0) }
        case (.read, .groupCount): try packet.writeGroupCount()
        case (.read, .groupList): try packet.writeGroupList()
        case (.read, .boardStatus): try writeStatus(into: &packet, store: &store)
        case (.write, .clock):
            try setClock(body, into: &packet, store: &store, log: &log, notBefore: earliest)
        case (.read, .time): try writeTime(into: &packet, store: &store)
        case (.write, .message): ask(.send(try body.messageRequest()), header)
        case (.read, .nonce):
            guard store.publicKeys?.operatorKey != nil else { throw .notProvisioned }
            ask(.nonce, header)
        case (.read, .manifest):
            guard store.publicKeys != nil else { throw .notSupported }
            ask(.manifest(nonce: try body.manifestNonce()), header)
        case (.write, .acknowledge): ask(.acknowledge(try body.position()), header)
        case (.write, .erase): ask(.erase(try body.erasure()), header)
        case (.read, .keys):
            guard let keys = store.publicKeys else { throw .notSupported }
            try packet.writeKeys(keys)
        case (.write, .keys):
            guard let keys = store.publicKeys else { throw .notSupported }
            let new = try body.keys(instead: keys)
            if new == keys { try packet.writeKeys(keys) } else { ask(.storeKeys(new), header) }
        case (.write, .configuration): try stage(try body.text("set"), .configure, header)
        case (.write, .update):
            guard store.publicKeys?.operatorKey != nil else { throw .notProvisioned }
            ask(try body.updateAnnouncement(), header)
        case (.write, .updatePiece):
            let offset = try body.updateOffset()
            try stage(try body.bytes("data"), .storeUpdatePiece(offset: offset), header)
        case (.write, .secrets):
            guard store.publicKeys != nil else { throw .notSupported }
            try stage(
                try body.bytes("sealed"), longerThan: SealedRecord.overheadByteCount, .openSecrets, header)
        case (.write, .backup):
            guard store.publicKeys?.ownerKey != nil, store.publicKeys?.operatorKey != nil else {
                throw .notProvisioned
            }
            let (scheme, context) = try body.backup()
            ask(.backUp(scheme: scheme, context: context), header)
        case (.read, .message): ask(.report(number: try body.messageNumber()), header)
        default: throw .notSupported
        }
    }

    /// Writes `{"rc": code}`, or from version 2 on `{"err": {"group": g, "rc": code}}` for a code of a
    /// group. A reason in text is added as `"rsn": reason`.
    static func write(
        _ refusal: SMPRefusal, into packet: inout SMPPacket, version: UInt8, reason: Span<UInt8> = Span()
    ) {
        packet.removeBody()
        let isTimeRefused = refusal == .clockFailed
        do throws(CapacityError) {
            try packet.append(cborMap: reason.isEmpty && !isTimeRefused ? 1 : 2)
            if version > 0, let group = refusal.group {
                try packet.append(cborText: "err")
                try packet.append(cborMap: 2)
                try packet.append(key: "group", unsigned: UInt64(group))
                try packet.append(key: "rc", unsigned: UInt64(refusal.code))
            } else {
                try packet.append(key: "rc", unsigned: UInt64(refusal.generalCode))
            }
            if isTimeRefused {
                try packet.append(key: "rsn", text: "the time must be in one of the years 2020 to 2099")
            } else if !reason.isEmpty {
                try packet.append(key: "rsn", text: reason)
            }
        } catch {
            packet.removeBody()
            // Even the smallest packet has space for the code alone.
            if !reason.isEmpty { write(refusal, into: &packet, version: version) }
        }
    }
}
