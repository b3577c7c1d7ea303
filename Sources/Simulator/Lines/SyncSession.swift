import DeviceSync
import FixedMemory

/// One session of a host with a board, one request at a time. It requests status, clock, a message, the
/// report on the previous message, and the index. Then it requests each segment that the host does not have
/// completely, and its checksum. ``SyncingHost`` handles timeouts and the line.
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

    /// The effect of a received frame.
    enum Outcome: Equatable {
        /// The frame does not answer the request, or is not readable.
        case nothing
        case progress
        /// The host's bytes of a segment equal the board's, and are acknowledged.
        case acknowledged(ordinal: UInt32, byteCount: Int)
        /// The host's bytes of a segment differ from the board's, and are discarded.
        case discarded(ordinal: UInt32)
    }

    private(set) var step = Step.status
    private(set) var segments: [SyncIndexSegment] = []
    private(set) var status: BoardStatus?
    private(set) var blockByteCount: Int?
    private(set) var hasIndex = false
    /// Segments that were discarded because their checksum differed. A session fetches each again at most
    /// once, as `tabardctl` does.
    private var refetched: Set<UInt32> = []
    private var index: [UInt8] = []
    private var request: SMPPacket?
    private let wallClock: WallClockTime?
    private let message: MessageRequest?
    private let reportNumber: UInt32?
    /// The board's last report on a message.
    private(set) var report: MessageReport?
    /// Why the board has refused the message, if it has.
    private(set) var messageRefusal: SMPRefusal?

    /// - Parameters:
    ///   - wallClock: The time for the board's clock, if it is to be set.
    ///   - message: The message to send, if any.
    ///   - reportNumber: The number of the message whose report is requested.
    init(wallClock: WallClockTime?, message: MessageRequest? = nil, reportNumber: UInt32? = nil) {
        self.wallClock = wallClock
        self.message = message
        self.reportNumber = reportNumber
    }

    // MARK: Requests

    /// Makes the next request; nil when the session has no more.
    mutating func nextRequest(sequence: UInt8, store: HostStore) -> SMPPacket? {
        skipCompletedSteps(store)
        do throws(CapacityError) { request = try makeRequest(sequence, store) } catch { request = nil }
        return request
    }

    private func makeRequest(_ sequence: UInt8, _ store: HostStore) throws(CapacityError) -> SMPPacket? {
        switch step {
        case .status: return SyncRequest.boardStatus(sequence: sequence)
        case .clock:
            return try SyncRequest.setClock(
                wallClock ?? WallClockTime(milliseconds: 0), errorMilliseconds: 100, sequence: sequence)
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

    private mutating func skipCompletedSteps(_ store: HostStore) {
        if step == .clock, wallClock == nil { step = .message }
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
            // The board changed the index between two chunks. The next session reads the whole index again.
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

    /// Skips the refused step. The board may have overwritten a segment, or cannot read it now. A session
    /// without status or index ends.
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
