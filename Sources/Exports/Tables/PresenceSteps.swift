import Archive
import FixedMemory
import LogContents
import TextFormats

/// Puts the quarters of an hour of one board together to longer steps, so that rounded times hide as much in
/// presence as in contacts. Steps up to a quarter of an hour change nothing.
struct PresenceSteps {
    private let length: Int64
    private var period: PresencePeriod?

    init(_ step: Interval) { length = Int64(clamping: max(step, PresenceSlot.length).milliseconds) }

    /// - Parameter slot: is later than those before it.
    /// - Returns: the period before that of the slot, once nothing can be added to it any more.
    mutating func next(_ slot: PresenceSlot) -> PresencePeriod? {
        let step = CivilTime.floor(Int64(clamping: slot.start.milliseconds), by: length)
        let start = WallClockTime(clamping: step * length)
        let complete = period?.start == start ? nil : rest()
        var period =
            period
            ?? PresencePeriod(
                board: slot.board, start: start,
                end: WallClockTime(clamping: (step * length).addingClamped(length)))
        period.add(slot)
        self.period = period
        return complete
    }

    mutating func rest() -> PresencePeriod? {
        defer { period = nil }
        return period
    }
}
