import FixedMemory

/// How a client's procedure ended.
public enum AttributeClientEvent: BitwiseCopyable, Equatable, Sendable {
    /// ``AttributeClient/value`` and ``AttributeClient/findings`` hold the result.
    case finished
    case failed(AttributeClientFailure)

    /// Whether the peer has refused in a way that will repeat: see ``ATTError/isLasting``.
    public var isLastingRefusal: Bool {
        if case .failed(.refused(let error)) = self { error.isLasting } else { false }
    }
}

public enum AttributeClientFailure: BitwiseCopyable, Equatable, Sendable {
    /// The peer has none of the services.
    case serviceNotFound
    /// None of the services has the characteristic.
    case characteristicNotFound
    /// The peer answered with an error.
    case refused(ATTError)
    /// The peer's answer is malformed or inconsistent.
    case protocolViolation
    /// The peer has more characteristics than ``AttributeClient/maximumCharacteristicCount``.
    case tooManyCharacteristics
    /// The value is longer than 512 bytes.
    case valueTooLong
}

/// A state machine that runs one procedure at a time on one link. ``nextRequest(mtu:into:)`` returns the PDU
/// to send, and ``receive(_:mtu:)`` processes the answer. Every procedure ends after a bounded number of
/// requests, however the peer answers. Timeouts are up to the caller: drop the link when ``isWaiting`` has
/// been true for 30 s.
///
/// Bluetooth Core 5.4, Vol 3, Part G, 4.
public struct AttributeClient: BitwiseCopyable {
    public static let maximumCharacteristicCount = 64

    enum Step: BitwiseCopyable {
        case idle
        case exchangeMTU
        /// `first` is the first handle of the range that is searched.
        case findService(first: UInt16)
        case findCharacteristics(HandleRange)
        case read(handle: UInt16)
        case readRest(handle: UInt16)
        case write(handle: UInt16)
        case prepareWrite(handle: UInt16, offset: Int)
        case executeWrite
    }

    var step = Step.idle
    var search = CharacteristicSearch(services: UUIDList(), characteristic: BluetoothUUID(0))
    var instances = ServiceInstances()
    var characteristicCount = 0
    /// The opcode of the request that the peer has not answered yet.
    var pending: ATTOpcode?
    /// The MTU when that request was sent; the peer may change it before it answers.
    var pendingMTU = ATT.defaultMTU

    /// The value that was read, or that is being written.
    public internal(set) var value = AttributeValue()
    public internal(set) var findings = CharacteristicFindings()

    public init() {}

    /// Whether a procedure is running.
    public var isBusy: Bool { if case .idle = step { false } else { true } }

    /// Whether the peer still has to answer a request.
    public var isWaiting: Bool { pending != nil }

    /// Whether the client may be interrupted: a search or a read is running, and no answer is pending. A copy
    /// of the client can continue the procedure later. A write in several parts cannot be interrupted: its
    /// parts must follow each other.
    public var isInterruptible: Bool {
        guard pending == nil else { return false }
        switch step {
        case .exchangeMTU, .findService, .findCharacteristics, .read, .readRest: return true
        case .idle, .write, .prepareWrite, .executeWrite: return false
        }
    }

    /// Whether the client has sent an MTU request that the peer has not answered.
    public var awaitsMTU: Bool { pending == .exchangeMTURequest }

    /// Whether ``nextRequest(mtu:into:)`` has a request to send.
    public var hasRequest: Bool { isBusy && !isWaiting }

    /// Finds a service and a characteristic in it, and reads its whole value, or as much of it
    /// as the search wants. This replaces a running procedure, so check ``isBusy`` first.
    public mutating func start(_ search: CharacteristicSearch) {
        self.search = search
        instances = ServiceInstances()
        begin(search.exchangesMTU ? .exchangeMTU : .findService(first: 1))
        findings = CharacteristicFindings()
        if search.services.count == 0 { step = .idle }
    }

    /// Continues the last search with the next instance of its service, or with the next service, because
    /// the value that the search has found was of no use.
    ///
    /// - Parameters:
    ///   - characteristic: the one that the search was for. A later search may have replaced it.
    ///   - failure: how the search fails if nothing better follows.
    /// - Returns: False, and no procedure begins, if no instance or service is left.
    public mutating func startNextInstance(
        of characteristic: BluetoothUUID, after failure: AttributeClientFailure
    ) -> Bool {
        guard search.services.count > 0, search.characteristic == characteristic else { return false }
        instances.didFail(failure)
        guard instances.advance(search), let first = instances.next else { return false }
        begin(.findService(first: first))
        return true
    }

    /// Reads the whole value at a handle that is already known.
    public mutating func startReading(handle: UInt16) {
        search.wantedByteCount = ATT.maximumValueByteCount
        search.readsValue = false
        begin(.read(handle: handle))
    }

    /// Writes `value` with response; uses prepared writes if it does not fit into one request.
    /// - Throws: `CapacityError` if `value` has more than 512 bytes.
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

    /// Replaces `request` with the next request to send.
    /// - Returns: False, with `request` empty, if there is none.
    public mutating func nextRequest(mtu: NegotiatedMTU, into request: inout ATTBuffer) -> Bool {
        request.removeAll()
        guard hasRequest else { return false }
        if case .write(let handle) = step, value.count > mtu.byteCount - 3 {
            step = .prepareWrite(handle: handle, offset: 0)
        }
        do throws(CapacityError) {
            try appendRequest(mtu.byteCount, to: &request)
        } catch {
            // The buffer holds the longest request, so this never happens.
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
        case .findService(let first):
            let uuid = search.services[instances.serviceIndex].bytes
            let range = HandleRange(first, .max)
            try ATTRequest.findByTypeValue(range, type: 0x2800, value: uuid.span).append(to: &request)
        case .findCharacteristics(let range):
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

    /// Returns the part of the value that one Prepare Write Request at `offset` carries.
    @_transparent
    @_lifetime(borrow self)
    func part(at offset: Int, _ mtu: Int) -> Span<UInt8> {
        value.span.extracting(offset..<min(value.count, offset + mtu - 5))
    }
}
