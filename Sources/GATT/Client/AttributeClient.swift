import FixedMemory

/// How a client's procedure ended.
public enum AttributeClientEvent: BitwiseCopyable, Equatable, Sendable {
    /// ``AttributeClient/value`` and ``AttributeClient/findings`` hold what was asked for.
    case finished
    case failed(AttributeClientFailure)
}

public enum AttributeClientFailure: BitwiseCopyable, Equatable, Sendable {
    /// None of the services is there.
    case serviceNotFound
    /// None of the services has the characteristic.
    case characteristicNotFound
    /// The peer answered with an error.
    case refused(ATTError)
    /// The peer's answer makes no sense.
    case protocolViolation
    /// More characteristics than ``AttributeClient/maximumCharacteristicCount``.
    case tooManyCharacteristics
    /// The value goes on past 512 bytes.
    case valueTooLong
}

/// Runs one procedure at a time on one link, as a state machine: ``nextRequest(mtu:into:)`` says what to send,
/// ``receive(_:mtu:)`` takes the answer. Whatever a peer answers, a procedure ends after a bounded number of
/// requests. Time is the caller's: when ``isWaiting`` has been true for 30 s, drop the link.
///
/// Bluetooth Core 5.4, Vol 3, Part G, 4.
public struct AttributeClient: BitwiseCopyable {
    public static let maximumCharacteristicCount = 64

    enum Step: BitwiseCopyable {
        case idle
        case exchangeMTU
        /// `index` of the search's services.
        case findService(index: Int)
        case findCharacteristics(serviceIndex: Int, HandleRange)
        case read(handle: UInt16)
        case readRest(handle: UInt16)
        case write(handle: UInt16)
        case prepareWrite(handle: UInt16, offset: Int)
        case executeWrite
    }

    var step = Step.idle
    var search = CharacteristicSearch(services: UUIDList(), characteristic: BluetoothUUID(0))
    var characteristicCount = 0
    /// The request that is to be answered.
    var pending: ATTOpcode?
    /// The MTU when it was sent: the peer may change it before the answer comes.
    var pendingMTU = ATT.defaultMTU

    /// The value read, or being written.
    public internal(set) var value = AttributeValue()
    public internal(set) var findings = CharacteristicFindings()

    public init() {}

    /// Whether a procedure is under way.
    public var isBusy: Bool { if case .idle = step { false } else { true } }

    /// Whether the peer owes us an answer.
    public var isWaiting: Bool { pending != nil }

    /// Whether something is being looked for or read, and the peer owes us nothing: something else may come in between. A
    /// copy of the client, put back later, goes on where it was. The rest of a value that is being written can come after
    /// nothing else.
    public var isInterruptible: Bool {
        guard pending == nil else { return false }
        switch step {
        case .exchangeMTU, .findService, .findCharacteristics, .read, .readRest: return true
        case .idle, .write, .prepareWrite, .executeWrite: return false
        }
    }

    /// Whether the peer has been asked for its MTU, and has not said it.
    public var awaitsMTU: Bool { pending == .exchangeMTURequest }

    /// Whether ``nextRequest(mtu:into:)`` has something to send.
    public var hasRequest: Bool { isBusy && !isWaiting }

    /// Finds a service and a characteristic in it and, unless the search says otherwise, reads its whole value. Replaces
    /// a procedure that has not
    /// ended, so look at ``isBusy`` first.
    public mutating func start(_ search: CharacteristicSearch) {
        self.search = search
        begin(search.exchangesMTU ? .exchangeMTU : .findService(index: 0))
        findings = CharacteristicFindings()
        if search.services.count == 0 { step = .idle }
    }

    /// Reads the whole value at a handle known from before.
    public mutating func startReading(handle: UInt16) {
        search.wantedByteCount = ATT.maximumValueByteCount
        begin(.read(handle: handle))
    }

    /// Writes `value` with response; as prepared writes if it does not fit one request.
    /// - Throws: when `value` has more than 512 bytes.
    public mutating func startWriting(_ value: Span<UInt8>, handle: UInt16) throws(CapacityError) {
        guard value.count <= ATT.maximumValueByteCount else { throw CapacityError() }
        begin(.write(handle: handle))
        try self.value.append(value)
    }

    private mutating func begin(_ first: Step) {
        step = first
        pending = nil
        characteristicCount = 0
        value.removeAll()
    }

    /// Replaces `request` by the next request to send.
    /// - Returns: false, and `request` is empty, when there is none.
    public mutating func nextRequest(mtu: NegotiatedMTU, into request: inout ATTBuffer) -> Bool {
        request.removeAll()
        guard hasRequest else { return false }
        if case .write(let handle) = step, value.count > mtu.byteCount - 3 {
            step = .prepareWrite(handle: handle, offset: 0)
        }
        do throws(CapacityError) {
            try appendRequest(mtu.byteCount, to: &request)
        } catch {
            // No request is longer than the buffer.
            request.removeAll()
        }
        guard !request.isEmpty else { return false }
        pending = ATTOpcode(rawValue: request[0])
        pendingMTU = mtu.byteCount
        return true
    }

    private func appendRequest(_ mtu: Int, to request: inout ATTBuffer) throws(CapacityError) {
        switch step {
        case .idle: break
        case .exchangeMTU:
            let ours = UInt16(truncatingIfNeeded: ATT.maximumMTU)
            try ATTRequest.exchangeMTU(clientReceiveMTU: ours).append(to: &request)
        case .findService(let index):
            let uuid = search.services[index].bytes
            try ATTRequest.findByTypeValue(.all, type: 0x2800, value: uuid.span).append(to: &request)
        case .findCharacteristics(_, let range):
            try ATTRequest.readByType(range, type: .characteristic).append(to: &request)
        case .read(let handle):
            try ATTRequest.read(handle: handle).append(to: &request)
        case .readRest(let handle):
            let offset = UInt16(truncatingIfNeeded: value.count)
            try ATTRequest.readBlob(handle: handle, offset: offset).append(to: &request)
        case .write(let handle):
            try ATTRequest.write(handle: handle, value: value.span).append(to: &request)
        case .prepareWrite(let handle, let offset):
            let part = part(at: offset, mtu)
            let offset = UInt16(truncatingIfNeeded: offset)
            try ATTRequest.prepareWrite(handle: handle, offset: offset, value: part).append(to: &request)
        case .executeWrite:
            try ATTRequest.executeWrite(commits: true).append(to: &request)
        }
    }

    /// What one Prepare Write Request at `offset` carries.
    @_transparent
    @_lifetime(borrow self)
    func part(at offset: Int, _ mtu: Int) -> Span<UInt8> {
        value.span.extracting(offset..<min(value.count, offset + mtu - 5))
    }
}
