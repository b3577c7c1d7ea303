import FixedMemory

/// A time in which the agent could receive nothing.
struct Blindness {
    /// The shortest silence that the agent may take for a departure, with a margin. The agent notices it
    /// after ten seconds, and gives the renewed scan seven.
    private static let shortestSilence = Interval.seconds(16)
    /// The same for a blindness that the controller's answers reveal.
    private static let shortestShown = Interval.seconds(12)

    let start: Instant
    /// When the last good report before it came. The agent counts a silence from then on.
    let silentSince: Instant
    var end: Instant
    /// Whether only the missing reports reveal the blindness, not the controller's answers.
    let isHidden: Bool
    /// How long the blindness must last before the agent can know of it: zero if the controller's answers
    /// reveal it, nil if nothing does.
    var detectionDelay: Interval?
    /// When the agent assumed an empty room during this blindness.
    var assumedEmpty: Instant?
    /// Whether few devices, or none, were expected when it began.
    let isOfFew: Bool
    /// When the few expected devices were last linked with the board, as far as the agent knew: an end that
    /// the controller has not reported leaves it with a link. Linked devices send no adverts, so the agent
    /// relies on the controller's answers, and counts a silence from then on only.
    var linkedUntil: Instant
    /// The longest delay of reports that were received before the blindness.
    var reportDelay: Interval

    /// The part of the blindness that the agent could know of; nil if there is none.
    var known: Range<Instant>? {
        guard let detectionDelay, end - linkedUntil >= detectionDelay else { return nil }
        return linkedUntil..<max(linkedUntil, min(end, assumedEmpty ?? end))
    }

    /// Handles an empty room that the agent assumed at this time: after all devices fell silent at once, or
    /// after it had tried all recovery.
    mutating func assumeEmpty(at time: Instant, isDeparture: Bool) {
        guard start <= time, time <= end, !isDeparture || isLikeDeparture(at: time) else { return }
        assumedEmpty = assumedEmpty ?? time
    }

    /// Whether the agent may take the silence at `time` for a departure. It counts from the last good report,
    /// because it cannot know that only a part of the silence is blindness: before that the devices may have
    /// left, or the controller may have forgotten its scan for a moment. Answers that reveal a blindness
    /// show its beginning, too, so such a blindness counts from there.
    private func isLikeDeparture(at time: Instant) -> Bool {
        isHidden ? silentSince + Self.shortestSilence <= time : start + Self.shortestShown <= time
    }
}
