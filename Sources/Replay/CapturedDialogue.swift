import FixedMemory
import GATT
import Peers
import Protocols
import Schemes

/// One direction of requests on a captured link: one end's requests and the answers of the other end's
/// server. The answers reveal the handles of Herald's characteristics. The dialogue reassembles payloads from
/// reads, and messages from writes.
struct CapturedDialogue: BitwiseCopyable {
    private enum Question: BitwiseCopyable {
        case none
        /// Read By Type for characteristic declarations.
        case characteristics
        /// Read By Type for the payload itself.
        case payloadByType
        case payload
        case payloadRest(offset: Int)
        case mtu(UInt16)
    }

    private var question = Question.none
    private var mtu = NegotiatedMTU()
    /// Both Herald services have the characteristics, so there may be two handles of each; 0 where there is
    /// none.
    private var payloadHandles = InlineArray<2, UInt16>(repeating: 0)
    private var signalHandles = InlineArray<4, UInt16>(repeating: 0)
    /// The handles of the identity characteristics, by scheme.
    private var schemeHandles = InlineArray<3, UInt16>(repeating: 0)
    /// The scheme of the value, and the scheme of the pending request; nil for Herald.
    private(set) var scheme: SchemeID?
    private var askedScheme: SchemeID?
    private var value = AttributeValue()
    /// Whether the last answer filled its PDU, so that the value may continue.
    private var isUnfinished = false
    private var assembler = HeraldSignalAssembler()
    private var prepared = AttributeValue()
    private var preparedHandle: UInt16 = 0

    /// Results that ``takePayload()`` and ``takeMessage()`` return once.
    private var isPayloadReady = false
    private var message: HeraldSignalCode?

    init() {}

    /// Returns the whole payload that was read, once.
    mutating func takePayload() -> FixedBuffer<512>? {
        guard isPayloadReady else { return nil }
        isPayloadReady = false
        return value.isEmpty ? nil : value
    }

    /// Returns the kind of the message that was written, once.
    mutating func takeMessage() -> HeraldSignalCode? {
        defer { message = nil }
        return message
    }

    var messagePayload: FixedBuffer<512> { assembler.payload }
    var messageRSSIDBm: Int16 { assembler.rssiDBm }

    /// Ends the link, or marks a part of it that was not captured: the bytes read so far count as the whole
    /// value.
    mutating func interrupt() {
        finishReading()
        question = .none
    }

    // MARK: Asked

    mutating func record(request pdu: Span<UInt8>, now: Instant) {
        let request: ATTRequest
        do throws(ATTError) { request = try ATTRequest(pdu) } catch { return }
        if case .readBlob = request {} else { finishReading() }
        switch request {
        case .exchangeMTU(let clientReceiveMTU): question = .mtu(clientReceiveMTU)
        case .readByType(_, .characteristic): question = .characteristics
        case .readByType(_, HeraldService.payload):
            askedScheme = nil
            question = .payloadByType
        case .read(let handle): question = recordScheme(handle) || isPayload(handle) ? .payload : .none
        case .readBlob(let handle, let offset):
            question = recordScheme(handle) || isPayload(handle) ? .payloadRest(offset: Int(offset)) : .none
        case .write(let handle, let part), .writeCommand(let handle, let part):
            question = .none
            if isSignal(handle) { written(part, now: now) }
        case .prepareWrite(let handle, let offset, let part):
            question = .none
            prepare(handle, Int(offset), part)
        case .executeWrite(let commits):
            question = .none
            let whole = prepared
            if commits, isSignal(preparedHandle) { written(whole.span, now: now) }
            prepared.removeAll()
            preparedHandle = 0
        default: question = .none
        }
    }

    private mutating func written(_ part: Span<UInt8>, now: Instant) {
        if case .complete(let code) = assembler.write(part, now: now) { message = code }
    }

    private mutating func prepare(_ handle: UInt16, _ offset: Int, _ part: Span<UInt8>) {
        if handle != preparedHandle || offset == 0 { prepared.removeAll() }
        preparedHandle = handle
        guard offset == prepared.count else { return }
        try? prepared.append(part)
    }

    // MARK: Answered

    mutating func record(answer pdu: Span<UInt8>) {
        guard let answer = ATTResponse(pdu) else { return }
        switch (answer, question) {
        case (.exchangeMTU(let serverReceiveMTU), .mtu(let clientReceiveMTU)):
            mtu = NegotiatedMTU()
            mtu.agree(peerReceiveMTU: min(serverReceiveMTU, clientReceiveMTU))
        case (.readByType(let entryByteCount, let entries), .characteristics):
            readDeclarations(entries, entryByteCount)
        case (.readByType(let entryByteCount, let entries), .payloadByType):
            begin(with: entries.extracting(2..<min(entryByteCount, entries.count)), overheadByteCount: 4)
        case (.read(let part), .payload):
            begin(with: part)
        case (.readBlob(let part), .payloadRest(let offset)):
            guard offset == value.count else { break }
            extend(by: part)
        case (.error, .payloadRest(let offset)):
            // The value ended exactly where the last answer did.
            if offset == value.count { finishReading() }
        case (.notification, _), (.indication, _): return
        default: break
        }
        question = .none
    }

    private mutating func begin(with part: Span<UInt8>, overheadByteCount: Int = 1) {
        value.removeAll()
        scheme = askedScheme
        extend(by: part, overheadByteCount: overheadByteCount)
    }

    private mutating func extend(by part: Span<UInt8>, overheadByteCount: Int = 1) {
        guard (try? value.append(part)) != nil else {
            value.removeAll()
            isUnfinished = false
            return
        }
        isUnfinished = true
        // An answer that fills its PDU may not be the whole value; the MTU may have grown since the request.
        let byteCount = part.count + overheadByteCount
        if byteCount < mtu.byteCount, byteCount != ATT.defaultMTU { finishReading() }
    }

    private mutating func finishReading() {
        guard isUnfinished else { return }
        isUnfinished = false
        isPayloadReady = true
    }

    /// Learns handles from declarations: handle (2), properties (1), value handle (2), UUID.
    private mutating func readDeclarations(_ entries: Span<UInt8>, _ entryByteCount: Int) {
        guard entryByteCount >= 7 else { return }
        var rest = entries
        while let entry = rest.takeFirst(entryByteCount) {
            guard let uuid = BluetoothUUID(entry.extracting(5..<entryByteCount)) else { continue }
            let handle = entry.loadUInt16(at: 3)
            if uuid == HeraldService.payload {
                Self.keep(handle, in: &payloadHandles)
            } else if uuid == HeraldService.compliantSignal || uuid == HeraldService.nonCompliantSignal {
                Self.keep(handle, in: &signalHandles)
            } else if let index = SchemeService(identity: uuid)?.scheme.linkIndex {
                schemeHandles[index] = handle
            }
        }
    }

    private static func keep<let count: Int>(_ handle: UInt16, in handles: inout InlineArray<count, UInt16>) {
        for index in handles.indices where handles[index] == handle || handles[index] == 0 {
            handles[index] = handle
            return
        }
    }

    /// Records the scheme of the value at the handle.
    /// - Returns: false for Herald's payload, and for other values.
    private mutating func recordScheme(_ handle: UInt16) -> Bool {
        askedScheme = nil
        for index in schemeHandles.indices where handle != 0 && schemeHandles[index] == handle {
            askedScheme = SchemeID(linkIndex: index)
        }
        return askedScheme != nil
    }

    private func isPayload(_ handle: UInt16) -> Bool {
        handle != 0 && (payloadHandles[0] == handle || payloadHandles[1] == handle)
    }

    private func isSignal(_ handle: UInt16) -> Bool {
        guard handle != 0 else { return false }
        for index in signalHandles.indices where signalHandles[index] == handle { return true }
        return false
    }
}
