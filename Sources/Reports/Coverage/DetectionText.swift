import Archive
import EncounterLog
import FixedMemory

/// Says how surely a board hears a sender while it listens for a part of the time only.
public enum DetectionText {
    /// The chance that the text speaks of.
    public static let chance = 0.95
    /// The advertising interval of phones with Herald: Android's low-power mode.
    public static let usualInterval = Interval.seconds(1)

    /// "listening 30 of 150 ms: hears a sender of one advert a second within 14 s in 95 of 100 cases"
    public static func text(_ timing: ScanTiming, senderInterval: Interval = usualInterval) -> String? {
        guard let chance = DetectionChance(timing) else { return nil }
        let length = chance.length(forChance: Self.chance, senderInterval: senderInterval)
        return
            "listening \(share(timing)): hears a sender of one advert in \(TimeText.error(senderInterval)) "
            + "within \(TimeText.error(rounded(length))) in 95 of 100 cases"
    }

    /// "30 of 150 ms"
    public static func share(_ timing: ScanTiming) -> String {
        "\(milliseconds(timing.windowSlots)) of \(milliseconds(timing.intervalSlots)) ms"
    }

    /// Whole seconds above two, rounded up.
    private static func rounded(_ length: Interval) -> Interval {
        length < .seconds(2) ? length : .seconds((length.milliseconds + 999) / 1_000)
    }

    private static func milliseconds(_ slots: UInt16) -> String {
        Markup.number(Double(slots) * 0.625)
    }
}
