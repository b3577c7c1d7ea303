import DeviceSync
import FixedMemory

/// One conversation of a host with a board, a request at a time: status, clock, a message to send, what became of the one
/// before, index, then each segment that the host does not have whole, and its checksum. It knows nothing of time and
/// lines; ``SyncingHost`` has those.
struct SyncSession {
    enum Step: Equatable {
        case status
        case clock
        case message
        case report
        case index
        case segment(Int)
        case checksum(Int)
        case done
    }

    /// What came of an answer.
    enum Outcome: Equatable {
        /// Not the answer to what was asked, or not readable.
        case nothing
        case progress
        /// The board's bytes of a segment are what the host has got: they are acknowledged.
        case acknowledged(ordinal: UInt32, byteCount: Int)
        /// The host's bytes of a segment are not the board's, so they are thrown away.
        case discarded(ordinal: UInt32)
    }

    private(set) var step = Step.status
    private(set) var segments: [SyncIndexSegment] = []
    private(set) var status: BoardStatus?
    private(set) var blockByteCount: Int?
    private(set) var hasIndex = false
    /// Segments whose bytes were not the board's, and that are fetched anew: once in a session, as by `tabardctl`.
    private var refetched: Set<UInt32> = []
    private var index: [UInt8] = []
    private var request: SMPPacket?
    private let wallClockMilliseconds: UInt64?
    private let message: MessageRequest?
    private let reportNumber: UInt32?
    /// What the board has said of messages.
    private(set) var report: MessageReport?
    /// Why it has not taken the message, if it has not.
    private(set) var messageRefusal: SMPRefusal?

    /// - Parameters:
    ///   - wallClockMilliseconds: what to set the board's clock to, if it is to be set.
    ///   - message: what to have sent, if anything.
    ///   - reportNumber: of a message to ask after.
    init(wallClockMilliseconds: UInt64?, message: MessageRequest? = nil, reportNumber: UInt32? = nil) {
        self.wallClockMilliseconds = wallClockMilliseconds
        self.message = message
        self.reportNumber = reportNumber
    }

    // MARK: Asking

    /// The next request; nil when there is nothing more to ask.
    mutating func nextRequest(sequence: UInt8, store: HostStore) -> SMPPacket? {
        skipWhatIsThere(store)
        do throws(CapacityError) { request = try makeRequest(sequence, store) } catch { request = nil }
        return request
    }

    private func makeRequest(_ sequence: UInt8, _ store: HostStore) throws(CapacityError) -> SMPPacket? {
        switch step {
        case .status: return SyncRequest.boardStatus(sequence: sequence)
        case .clock:
            return try SyncRequest.setClock(
                milliseconds: wallClockMilliseconds ?? 0, errorMilliseconds: 100, sequence: sequence)
        case .message:
            guard let message else { return nil }
            return try SyncRequest.send(message, sequence: sequence)
        case .report: return try SyncRequest.messageReport(number: reportNumber ?? 0, sequence: sequence)
        case .index:
            return try SyncRequest.download(
                path: SyncPath.index.text.span, offset: UInt64(index.count), sequence: sequence)
        case .segment(let number):
            let ordinal = segments[number].ordinal
            return try SyncRequest.download(
                path: SyncPath.segment(ordinal).text.span,
                offset: UInt64(store.bytes(of: ordinal).count), sequence: sequence)
        case .checksum(let number):
            return try SyncRequest.fileHash(
                path: SyncPath.segment(segments[number].ordinal).text.span, type: .crc32,
                byteCount: UInt64(segments[number].byteCount), sequence: sequence)
        case .done: return nil
        }
    }

    private mutating func skipWhatIsThere(_ store: HostStore) {
        if step == .clock, wallClockMilliseconds == nil { step = .message }
        if step == .message, message == nil { step = .report }
        if step == .report, reportNumber == nil { step = .index }
        while case .segment(let number) = step {
            guard number < segments.count else {
                step = .done
                return
            }
            let segment = segments[number]
            if store.acknowledgedByteCount(of: segment.ordinal) >= Int(segment.byteCount) {
                step = .segment(number + 1)
            } else if store.bytes(of: segment.ordinal).count >= Int(segment.byteCount) {
                step = .checksum(number)
            } else {
                return
            }
        }
    }

    // MARK: Answers

    mutating func take(_ frame: [UInt8], store: inout HostStore) -> Outcome {
        guard let request else { return .nothing }
        do throws(SyncResponseError) {
            let response = try SyncResponse(frame.span, to: request)
            let outcome = try take(response, &store)
            if outcome != .nothing { self.request = nil }
            return outcome
        } catch .refused(let refusal) {
            self.request = nil
            if step == .message { messageRefusal = refusal }
            return refused()
        } catch {
            return .nothing
        }
    }

    private mutating func take(
        _ response: borrowing SyncResponse, _ store: inout HostStore
    ) throws(SyncResponseError) -> Outcome {
        switch step {
        case .status:
            status = try response.boardStatus()
            step = .clock
        case .clock: step = .message
        case .message:
            report = try response.messageReport()
            step = .report
        case .report:
            report = try response.messageReport()
            step = .index
        case .index:
            let chunk = try response.download()
            guard chunk.offset == UInt64(index.count) else { return .nothing }
            index += [UInt8](chunk.data)
            if chunk.data.isEmpty { readIndex() }
        case .segment(let number):
            let ordinal = segments[number].ordinal
            let chunk = try response.download()
            guard chunk.offset == UInt64(store.bytes(of: ordinal).count) else { return .nothing }
            let missing = Int(segments[number].byteCount) - store.bytes(of: ordinal).count
            store.append([UInt8](chunk.data).prefix(missing), to: ordinal)
            if chunk.data.isEmpty { step = .segment(number + 1) }
        case .checksum(let number): return try compare(segments[number], number, response, &store)
        case .done: return .nothing
        }
        return .progress
    }

    private mutating func readIndex() {
        step = .done
        do throws(MalformedIndex) {
            let text = index
            var reader = try SyncIndexReader(text.span)
            blockByteCount = Int(reader.header.blockByteCount)
            while let segment = try reader.next() { segments.append(segment) }
            hasIndex = true
            step = .segment(0)
        } catch {
            // The board changed it in the middle: the next session finds it whole.
            segments = []
        }
    }

    private mutating func compare(
        _ segment: SyncIndexSegment, _ number: Int, _ response: borrowing SyncResponse,
        _ store: inout HostStore
    ) throws(SyncResponseError) -> Outcome {
        let answer = try response.fileHash()
        guard answer.byteCount == UInt64(segment.byteCount) else { return .nothing }
        let bytes = Array(store.bytes(of: segment.ordinal).prefix(Int(segment.byteCount)))
        var checksum = CRC32()
        checksum.update(bytes.span)
        step = .segment(number + 1)
        guard answer.hash == .crc32(checksum.value) else {
            store.discard(segment.ordinal)
            if refetched.insert(segment.ordinal).inserted { step = .segment(number) }
            return .discarded(ordinal: segment.ordinal)
        }
        store.acknowledge(segment.ordinal, byteCount: bytes.count)
        return .acknowledged(ordinal: segment.ordinal, byteCount: bytes.count)
    }

    /// The board has overwritten the segment, or cannot read it now.
    private mutating func refused() -> Outcome {
        switch step {
        case .clock: step = .message
        case .message: step = .report
        case .report: step = .index
        case .segment(let number), .checksum(let number): step = .segment(number + 1)
        case .status, .index, .done: step = .done
        }
        return .progress
    }
}
