import LogContents

/// A message with its sender's known data, on the clock that its board had.
public struct ReceivedMessage: Sendable, Equatable {
    public var board: LogIdentity
    public var timeline: Encounter.Timeline
    public var milliseconds: Int64
    public var basis = ClockBasis.none
    /// Bounds of its wall time, since 1970 UTC, if its error is unknown; nil if unknown.
    public var notBeforeMilliseconds: Int64?
    public var notAfterMilliseconds: Int64?
    /// Nil if the sender presented no identity.
    public var sender: Identity?
    public var address: RecordedAddress?
    public var content: PeerMessage.Content
    /// The shared payloads, separated; nil if they cannot be separated, and for other messages.
    public var sharedPayloads: [[UInt8]]?

    public init(
        board: LogIdentity, timeline: Encounter.Timeline, milliseconds: Int64, sender: Identity? = nil,
        address: RecordedAddress? = nil, content: PeerMessage.Content, sharedPayloads: [[UInt8]]? = nil
    ) {
        self.board = board
        self.timeline = timeline
        self.milliseconds = milliseconds
        self.sender = sender
        self.address = address
        self.content = content
        self.sharedPayloads = sharedPayloads
    }

    /// The error bound of its time, either way; nil if unknown or not on the wall clock.
    public var errorMilliseconds: Int64? {
        guard case .wallClock(let error) = timeline else { return nil }
        return error
    }

    public var isOnWallClock: Bool { timeline.isOnWallClock }
}

extension Archive {
    /// The messages of all boards that the filter admits, in order of time; those without a clock last.
    public func messages(
        matching filter: EncounterFilter = .init()
    ) throws(ArchiveError) -> [ReceivedMessage] {
        var messages: [ReceivedMessage] = []
        for board in try boards() where filter.admits(board: board) {
            messages += ReceivedMessage.all(of: try history(of: board.identity))
        }
        messages.removeAll { message in
            guard message.isOnWallClock else {
                return filter.sinceMilliseconds != nil || filter.untilMilliseconds != nil
            }
            return message.milliseconds < filter.sinceMilliseconds ?? .min
                || message.milliseconds >= filter.untilMilliseconds ?? .max
        }
        return messages.enumerated().sorted { left, right in
            let (first, second) = (left.element, right.element)
            return (first.isOnWallClock ? 0 : 1, first.milliseconds, left.offset)
                < (second.isOnWallClock ? 0 : 1, second.milliseconds, right.offset)
        }.map(\.element)
    }
}

extension ReceivedMessage {
    static func all(of history: BoardHistory) -> [ReceivedMessage] {
        zip(history.boots, history.placements()).flatMap { boot, placement -> [ReceivedMessage] in
            let tracks = Dictionary(
                boot.tracks.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
            return boot.messages.map { message in
                let track = message.track.flatMap { tracks[$0] }
                let moment = message.monotonicMilliseconds
                var received = ReceivedMessage(
                    board: history.board, timeline: placement.timeline(of: [moment]),
                    milliseconds: placement.milliseconds(at: moment),
                    sender: track?.identity(atMilliseconds: message.monotonicMilliseconds),
                    address: track?.address, content: message.content,
                    sharedPayloads: boot.sharedPayloads(in: message))
                received.basis = placement.basis
                if placement.errorMilliseconds(at: moment) == nil {
                    received.notBeforeMilliseconds = placement.notBefore(moment)
                    received.notAfterMilliseconds = placement.notAfter(moment)
                }
                return received
            }
        }
    }
}

extension BootHistory {
    /// The separated payloads; nil if they cannot be separated, and for messages of another kind.
    public func sharedPayloads(in message: PeerMessage) -> [[UInt8]]? {
        guard case .sharedPayloads(let bytes, _) = message.content else { return nil }
        let own = heraldIdentities.last { $0.monotonicMilliseconds <= message.monotonicMilliseconds }
        return PeerMessage.separated(bytes, ownByteCount: own?.identity?.payload.count)
    }
}

extension RecordedTrack {
    /// The last identity that the peer presented by then, or else the first one afterwards.
    fileprivate func identity(atMilliseconds time: Int64) -> Identity? {
        let said = identifications.last { $0.monotonicMilliseconds <= time } ?? identifications.first
        return said?.identity
    }
}
