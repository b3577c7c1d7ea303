import Cryptography
import DeviceSync
import EncounterLog
import FixedMemory
import FlashSimulator
import LogContents

/// A board's log and clock behind the real sync server.
package final class ServedBoard {
    package static let blockByteCount = 256

    private let medium: SimulatedMedium
    /// The first byte of the log identity; the other bytes count up from it.
    private let firstByte: UInt8
    private let packetByteCount: Int
    var log: EncounterLog<SimulatedFlash>
    private var server: SyncServer
    package private(set) var bootIdentifier: UInt64 = 7
    package internal(set) var wallClock: WallClockTime?
    /// Whether the board takes no time for credible.
    package var refusesClock = false
    package internal(set) var clockErrorMilliseconds: UInt32?
    package internal(set) var clockMoment: BoardMoment?
    private var nextEncounter: UInt32 = 1
    /// Changes bytes of segments, both in downloads and in hashes: defective storage, or an attacker on the
    /// line.
    package var changesByte: (_ segment: UInt32, _ offset: Int, _ byte: UInt8) -> UInt8 = { $2 }
    /// Modifies the index before it is served.
    package var tampersIndex: (inout [SyncIndexSegment]) -> Void = { _ in }
    /// A segment that reads differently each time.
    package var unstableSegment: UInt32?
    var unstableReadCount: UInt8 = 0
    /// Boards of earlier versions serve only the complete index.
    package var servesPartOfIndex = true
    /// The number of peers in range that a message can be sent to.
    package var messagePeers: UInt32 = 0
    /// The last queued message, and its delivery state.
    package private(set) var message: MessageRequest?
    private var messageReport: MessageReport?
    /// Nil for a board without keys.
    private let boardScalar: Bytes<32>?
    package private(set) var publicKeys: BoardPublicKeys?
    private var nonceCount: UInt8 = 0
    /// The configuration listing; new settings are appended to it.
    package var listing: [UInt8] = []
    package var configurationRefusal = ""
    package private(set) var secrets: [UInt8] = []
    /// Modifies the board's statement about its log before it is signed.
    package var tampersStatement: (inout LogStatement) -> Void = { _ in }

    /// `hasKeys`: the board has its own key. `operatorKey`: the board requires commands signed with this key.
    /// `packetByteCount`: determines the size of the pieces in which files are sent.
    package init(
        packetByteCount: Int = 256, segmentCount: Int = 64, identity: UInt8 = 1, hasKeys: Bool = true,
        operatorKey: P256PublicKey? = nil
    ) throws {
        if hasKeys || operatorKey != nil {
            let pair = try P256PrivateKey(entropy: .system)
            boardScalar = try pair.scalarBytes()
            publicKeys = BoardPublicKeys(
                board: pair.publicKey, ownerKey: operatorKey, operatorKey: operatorKey)
        } else {
            boardScalar = nil
        }
        guard
            let geometry = FlashGeometry(
                blockByteCount: Self.blockByteCount, blocksPerSegment: 4, segmentCount: segmentCount)
        else { preconditionFailure("the geometry is within its bounds") }
        medium = SimulatedMedium(geometry)
        firstByte = identity
        self.packetByteCount = packetByteCount
        log = try Self.mount(medium, identity: identity, boot: bootIdentifier)
        server = SyncServer(packetByteCount: packetByteCount)
        try start()
    }

    /// Another board with a copy of this board's card: the same log, and the same key.
    package init(cardOf other: ServedBoard) throws {
        medium = other.medium.copy()
        firstByte = other.firstByte
        packetByteCount = other.packetByteCount
        boardScalar = other.boardScalar
        publicKeys = other.publicKeys
        bootIdentifier = other.bootIdentifier + 1_000
        nextEncounter = other.nextEncounter
        log = try Self.mount(medium, identity: firstByte, boot: bootIdentifier)
        server = SyncServer(packetByteCount: packetByteCount)
        try start()
    }

    private static func mount(
        _ medium: SimulatedMedium, identity first: UInt8, boot: UInt64
    ) throws -> EncounterLog<SimulatedFlash> {
        var identity = Bytes<16>()
        for index in 0..<16 { identity[index] = first &+ UInt8(index) }
        return try EncounterLog(
            mounting: SimulatedFlash(medium), newLogIdentity: identity, bootIdentifier: boot)
    }

    private func start() throws {
        try log.append(
            .boot(
                BootEntry(
                    bootIdentifier: bootIdentifier, instant: .start, softwareVersion: Bytes(),
                    sampleLength: .seconds(8),
                    encounterTimeout: .seconds(30), lossWindow: .seconds(30), role: .beacon)),
            now: .start)
    }

    /// Simulates a power cut and reboot: uncommitted entries are lost, and so is the server's state.
    package func restart() throws {
        medium.powerWasCut()
        medium.powerCameBack()
        medium.willBeMounted()
        bootIdentifier += 1
        log = try Self.mount(medium, identity: firstByte, boot: bootIdentifier)
        server = SyncServer(packetByteCount: packetByteCount)
        try start()
    }

    package var identity: LogIdentity {
        guard let identity = LogIdentity((0..<16).map { firstByte &+ $0 }) else {
            preconditionFailure("16 bytes are an identity")
        }
        return identity
    }

    /// Tells the board the current day, counted from 1970.
    package func setDay(_ day: UInt64) { log.setDay(LogDay(wallClock: WallClockTime(days: day))) }

    /// Records the given number of encounters, and commits them unless they should stay in memory.
    package func record(_ count: Int, commits: Bool = true) throws {
        for _ in 0..<count {
            let start = Instant.start + .seconds(UInt64(nextEncounter))
            var identity = FixedBuffer<512>()
            for index in 0..<21 {
                try identity.append(index == 0 ? 0x10 : UInt8(truncatingIfNeeded: nextEncounter))
            }
            var address = Bytes<6>()
            address[0] = UInt8(truncatingIfNeeded: nextEncounter)
            try log.append(
                .encounterOpened(
                    EncounterOpenedEntry(
                        encounter: nextEncounter, instant: start, address: address, addressType: 1,
                        foundBy: .heraldService)), now: start)
            try log.append(
                .encounterIdentified(
                    EncounterIdentifiedEntry(
                        encounter: nextEncounter, instant: start, scheme: SchemeCode(.herald),
                        identity: identity)),
                now: start)
            try log.append(
                .encounterClosed(
                    EncounterClosedEntry(
                        encounter: nextEncounter, instant: start + .seconds(5), readings: 9)),
                now: start)
            nextEncounter += 1
        }
        if commits { try log.commit() }
    }

    package var retainedByteCount: Int { log.retainedByteCount }

    package func segments() -> [RetainedSegment] {
        (0..<log.retainedSegmentCount).compactMap { log.retainedSegment(at: $0) }
    }

    package func bytes(ofSegment ordinal: UInt32) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: log.retainedSegment(ordinal: ordinal)?.byteCount ?? 0)
        var span = bytes.mutableSpan
        _ = try log.read(segment: ordinal, offset: 0, into: &span)
        return bytes
    }

    /// The board's answer to these bytes.
    package func answer(_ bytes: [UInt8]) -> [UInt8] {
        var store = self
        var log: Void = ()
        server.receive(bytes.span, store: &store, log: &log)
        answerRequest()
        while server.hasWork {
            server.step(store: &store, log: &log)
            answerRequest()
        }
        return server.takeOutput()
    }

    private func answerRequest() {
        switch server.nextRequest() {
        case nil, .storeKeys: break
        case .configure:
            let text = server.staged
            if configurationRefusal.isEmpty { listing += [UInt8](copying: text.span) }
            server.answer(configurationRefusal: Array(configurationRefusal.utf8).span)
        case .openSecrets:
            guard let boardScalar else { return }
            server.openSecrets(scalar: boardScalar)
        case .storeSecrets:
            let record = server.staged
            secrets = [UInt8](copying: record.span)
            server.answer(secretsRefusal: Array(configurationRefusal.utf8).span)
        case .nonce:
            nonceCount &+= 1
            server.answer(
                nonce: Bytes<16>([UInt8](repeating: nonceCount, count: 16).span) ?? Bytes(), now: now)
        case .manifest(let nonce):
            guard let boardScalar else { return }
            try? log.commit()
            server.answer(manifest: statement(nonce), scalar: boardScalar)
        case .acknowledge(let position): server.answer(segments: acknowledge(position))
        case .erase(let request): server.answer(segments: erase(request))
        case .some(let question): server.answer(answer(question))
        }
    }

    package var syncedThrough: LogPosition { log.syncedThrough }
    package var head: LogPosition { log.head.position }

    private func statement(_ nonce: Bytes<16>) -> LogStatement {
        var statement = LogStatement()
        statement.logIdentity = log.logIdentity
        statement.bootIdentifier = bootIdentifier
        statement.instant = now
        statement.nonce = nonce
        statement.oldestSegmentOrdinal = segments().first?.ordinal ?? 0
        statement.head = SyncPosition(
            segmentOrdinal: log.head.position.segmentOrdinal, byteOffset: log.head.position.byteOffset)
        statement.chainValue = log.head.chainValue
        statement.acknowledgedThrough = SyncPosition(
            segmentOrdinal: log.syncedThrough.segmentOrdinal, byteOffset: log.syncedThrough.byteOffset)
        tampersStatement(&statement)
        return statement
    }

    private func acknowledge(_ position: SyncPosition) -> Result<UInt32, SMPRefusal> {
        let position = LogPosition(
            segmentOrdinal: position.segmentOrdinal, byteOffset: position.byteOffset)
        do throws(LogError) {
            let isNew = position != log.syncedThrough
            try log.acknowledge(position)
            if isNew {
                let entry = AcknowledgementEntry(
                    instant: now, position: position, operatorFingerprint: Bytes())
                try log.append(.acknowledgement(entry), now: now)
            }
            try log.commit()
            return .success(0)
        } catch {
            return .failure(error == .noSuchSegment ? .positionUnknown : .unknown)
        }
    }

    private func erase(_ request: ErasureRequest) -> Result<UInt32, SMPRefusal> {
        guard let oldest = log.oldestErasable, oldest < request.firstKeptOrdinal else { return .success(0) }
        guard request.isForced || log.isAcknowledged(segment: oldest) else {
            return .failure(.notAcknowledged)
        }
        do throws(LogError) { try log.eraseOldest(.command) } catch { return .failure(.unknown) }
        return .success(1)
    }

    /// Simulates another peer that acknowledges the message.
    package func deliverMessage() { messageReport?.deliveredCount += 1 }

    private func answer(_ question: AgentRequest) -> Result<MessageReport, MessageError> {
        if case .send(let request) = question, request != message {
            guard messagePeers > 0 else { return .failure(.nobodyThere) }
            message = request
            messageReport = MessageReport(
                number: request.number, queuedCount: messagePeers, leftOutCount: 0)
        }
        return messageReport.map { .success($0) } ?? .failure(.unknownMessage)
    }
}

extension SyncServer {
    fileprivate mutating func takeOutput() -> [UInt8] {
        let bytes = Self.copy(output)
        drain(bytes.count)
        return bytes
    }

    private static func copy(_ span: Span<UInt8>) -> [UInt8] {
        span.indices.map { span[$0] }
    }
}
