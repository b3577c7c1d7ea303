import Archive

/// Times of a board's log as text for people.
struct MomentText {
    private let placements: [UInt64: BootPlacement]
    private let time: TimeText

    init(_ history: BoardHistory, _ time: TimeText) {
        placements = Dictionary(
            zip(history.boots.map(\.identifier), history.placements()),
            uniquingKeysWith: { first, _ in first })
        self.time = time
    }

    /// "between … and …", "after …" or "before …"; nil if neither time is known.
    func span(_ from: LogHole.Moment?, _ to: LogHole.Moment?) -> String? {
        switch (from.map(text), to.map(text)) {
        case (let from?, let to?): "between \(from) and \(to)"
        case (let from?, nil): "after \(from)"
        case (nil, let to?): "before \(to)"
        case (nil, nil): nil
        }
    }

    /// The wall time if it is known, otherwise the time since the boot.
    private func text(_ moment: LogHole.Moment) -> String {
        let boot = TimeText.boot(moment.boot).prefix(6)
        guard let placement = placements[moment.boot] else {
            return "\(TimeText.relative(moment.instant)) of boot \(boot)"
        }
        return placement.wallClock(at: moment.instant).map(time.dateAndTime)
            ?? "\(TimeText.relative(placement.point(at: moment.instant))) of boot \(boot)"
    }
}
