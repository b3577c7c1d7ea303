import FixedMemory
import LogContents

/// A message with its sender's known data, on the clock that its board had.
public struct ReceivedMessage: Sendable, Equatable {
    public var board: LogIdentity
    public var moment: PlacedMoment
    /// Nil if the sender presented no identity.
    public var sender: Identity?
    public var address: RecordedAddress?
    public var content: PeerMessage.Content
    /// The shared payloads, separated; nil if they cannot be separated, and for other messages.
    public var sharedPayloads: [[UInt8]]?

    public init(
        board: LogIdentity, moment: PlacedMoment, sender: Identity? = nil,
        address: RecordedAddress? = nil, content: PeerMessage.Content, sharedPayloads: [[UInt8]]? = nil
    ) {
        self.board = board
        self.moment = moment
        self.sender = sender
        self.address = address
        self.content = content
        self.sharedPayloads = sharedPayloads
    }
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
        messages.removeAll { !filter.admits($0.moment.time, on: $0.moment.timeline) }
        return PlacedMoment.inOrder(messages, \.moment)
    }
}

extension ReceivedMessage {
    static func all(of history: BoardHistory) -> [ReceivedMessage] {
        zip(history.boots, history.placements()).flatMap { boot, placement -> [ReceivedMessage] in
            let tracks = Dictionary(
                boot.tracks.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
            return boot.messages.map { message in
                let track = message.track.flatMap { tracks[$0] }
                return ReceivedMessage(
                    board: history.board, moment: PlacedMoment(message.instant, on: placement),
                    sender: track?.identity(at: message.instant), address: track?.address,
                    content: message.content, sharedPayloads: boot.sharedPayloads(in: message))
            }
        }
    }
}

extension BootHistory {
    /// The separated payloads; nil if they cannot be separated, and for messages of another kind.
    public func sharedPayloads(in message: PeerMessage) -> [[UInt8]]? {
        guard case .sharedPayloads(let bytes, _) = message.content else { return nil }
        let own = heraldIdentities.last { $0.instant <= message.instant }
        return PeerMessage.separated(bytes, ownByteCount: own?.identity?.payload.count)
    }
}

extension RecordedTrack {
    /// The last identity that the peer presented by then, or else the first one afterwards.
    fileprivate func identity(at time: Instant) -> Identity? {
        let said = identifications.last { $0.instant <= time } ?? identifications.first
        return said?.identity
    }
}
