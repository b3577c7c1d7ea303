import EncounterLog
import FixedMemory

/// Checks the messages from phones to the board's log and from the board to phones.
///
/// A message or shared payloads that a phone has written are in the log whole, once, and attributed to that
/// phone. That holds for all that the board acknowledged well before the loss window. An operator's message
/// reaches all of its receivers whole and nobody else, and the board reports no more deliveries than there
/// were. A board shares only whole payloads of other phones.
final class MessagesArriveWhole: Check {
    /// The bytes that a message needs beside its data, including the start of its page.
    private static let overheadByteCount = (inClear: 128, sealed: 320)

    private var encounters = EncounterAddresses()
    /// The data of all messages in the log, for each boot.
    private var logged: Set<[UInt8]> = []
    private var hasLost = false
    /// How many messages from boards have been checked, per phone.
    private var taken: [String: Int] = [:]
    /// How often phones received each operator's message.
    private var receptions: [UInt32: Int] = [:]
    private var second: UInt64 = 0

    override func agentStarted() {
        logged = []
        hasLost = false
    }

    // MARK: From phones into the log

    override func committed(_ page: CommittedPage) {
        encounters.begin(page)
        for entry in page.entries {
            encounters.record(entry)
            switch entry {
            case .message(let body):
                check(body.data, .immediate, of: body.encounter, at: body.instant, page)
            case .sharedPayloads(let body):
                check(
                    body.payloads, .sharing(rssiDBm: body.rssiDBm), of: body.encounter,
                    at: body.instant, page)
            default: break
            }
        }
    }

    private func check(
        _ bytes: FixedBuffer<512>, _ kind: SentMessage.Kind, of encounter: UInt32?,
        at time: Instant, _ page: CommittedPage
    ) {
        guard page.bootIdentifier == board.bootIdentifier else { return }
        let data = (0..<bytes.count).map { bytes[$0] }
        let isNew = logged.insert(data).inserted
        guard !diary.hadGarbled(before: board.clock.time(of: time)) else { return }
        let own = board.controller.truth.addresses
        let sent = checker.phones.lazy.compactMap { phone in
            phone.sentMessages.first { $0.data == data && $0.kind == kind && own.contains($0.board) }
                .map { (sender: phone, isUnreported: $0.isUnreported) }
        }.first
        guard let (sender, isUnreported) = sent else {
            return broken("\(data.count) bytes are in the log as \(kind), which nobody has sent it")
        }
        if !isNew { broken("what \(sender.name) has sent once is in the log twice") }
        guard !isUnreported, let address = encounter.flatMap({ encounters[$0] }), !sender.hasHad(address)
        else { return }
        broken(
            "what \(sender.name) has sent is recorded as of \(checker.phone(at: address)?.name ?? "another")"
        )
    }

    override func agentEnded() {
        let margin = SimulatedDuration.milliseconds((checker.lossWindow + .seconds(10)).milliseconds)
        let isDamaged = diary.had(\.isOfFlash, from: checker.bootTime, to: checker.world.now)
        guard !hasLost, !isDamaged else { return }
        let overhead = board.setup.isSealed ? Self.overheadByteCount.sealed : Self.overheadByteCount.inClear
        let longest = board.medium.geometry.blockByteCount - overhead
        let own = board.controller.truth.addresses
        for phone in checker.phones {
            for message in phone.sentMessages where own.contains(message.board) {
                guard let time = message.acknowledged, time >= checker.bootTime,
                    time + margin < checker.world.now, message.data.count <= longest,
                    !logged.contains(message.data), !diary.hadGarbled(before: time)
                else { continue }
                broken("what \(phone.name) has sent at \(time.inSeconds) s is not in the log")
            }
        }
    }

    // MARK: From the board to phones

    override func stepped(_ step: StepFacts) {
        if !hasLost, let counters = board.counters { hasLost = counters.dropped > 0 }
        let now = checker.world.now.microseconds / 1_000_000
        guard now != second else { return }
        second = now
        takeReceived()
    }

    override func worldEnded() {
        takeReceived()
        for message in checker.host?.messages ?? [] { checkReport(of: message) }
    }

    private func takeReceived() {
        for phone in checker.phones {
            let messages = phone.messagesFromBoards
            let known = taken[phone.name] ?? 0
            guard messages.count > known else { continue }
            taken[phone.name] = messages.count
            for message in messages[known...] { check(message, gotBy: phone) }
        }
    }

    private func check(_ message: BoardMessage, gotBy phone: SimulatedPhone) {
        switch message.code {
        case .immediateSend: checkImmediate(message.data, gotBy: phone)
        case .payloadSharing: checkShared(message.data, gotBy: phone)
        case .payload, .rssi: break
        }
    }

    private func checkImmediate(_ data: [UInt8], gotBy phone: SimulatedPhone) {
        guard let message = checker.host?.messages.first(where: { $0.data == data }) else {
            guard !diary.hadGarbled(before: checker.world.now) else { return }
            return broken("\(phone.name) has got \(data.count) bytes that nobody has sent")
        }
        receptions[message.number, default: 0] += 1
        guard !message.isFor(phone), !diary.hadGarbled(before: checker.world.now) else { return }
        broken("\(phone.name) has got what was for another")
    }

    private func checkShared(_ payloads: [UInt8], gotBy phone: SimulatedPhone) {
        guard !diary.hadGarbled(before: checker.world.now) else { return }
        let size = phone.payload.count
        let known = Set(checker.phones.flatMap(\.payloads))
        for start in stride(from: 0, to: payloads.count, by: size) {
            let payload = Array(payloads[start..<min(start + size, payloads.count)])
            if payload == phone.payload { broken("\(phone.name) has received its own payload") }
            // The board keeps a payload that was garbled on its way for as long as it keeps the payload's
            // sender.
            if !known.contains(payload),
                !diary.had(\.garbles, from: checker.bootTime, to: checker.world.now)
            {
                broken("\(phone.name) has received a payload that no device has")
            }
        }
    }

    /// Compares the board's delivery report with the phones. A neighbour board would receive messages
    /// without being a phone. A phone whose identity has a flipped bit still receives them.
    private func checkReport(of message: OperatorMessage) {
        guard let report = message.report, checker.neighbours.neighbour == nil,
            !diary.had(\.garbles, from: .zero, to: checker.world.now)
        else { return }
        if Int(report.deliveredCount) > receptions[message.number] ?? 0 {
            broken(
                "message \(message.number) was delivered \(report.deliveredCount) times, and got "
                    + "\(receptions[message.number] ?? 0) times")
        }
    }
}
