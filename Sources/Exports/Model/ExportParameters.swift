import Archive
import FixedMemory
import LogContents
import Ranging

/// The choices that decide what an export contains. They travel inside it.
public struct ExportParameters: Sendable {
    /// The selection of contacts.
    public var filter = ContactFilter()
    /// Includes encounters with devices other than the archive's boards.
    public var includesStrangers = false
    /// Leaves out contacts whose strongest reading, on either side, is weaker; nil for none.
    public var minimumRSSIdBm: Int?
    /// Joins contacts of one pair and equal certainty with at most this time between them.
    public var joinGap = Interval.zero
    /// Rounds starts down and ends up to multiples of this; zero for exact times.
    public var timeStep = Interval.zero
    /// Estimates the distances of contacts; nil for none.
    public var calibration: DistanceCalibration?
    /// Hides age, sex and group until so many people have the same; 1 hides nothing.
    public var smallestGroup = 1
    /// Replaces names and identities; nil for names.
    public var pseudonyms: Pseudonyms?
    /// The selection as the user gave it, for people.
    public var boardNames: [String] = []

    public init() {}
}
