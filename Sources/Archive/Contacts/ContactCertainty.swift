/// The evidence that an encounter was with a board of the archive, the best first. A contact joins only
/// sightings of equal certainty, so that worse evidence does not make it longer.
public enum ContactCertainty: Int, Sendable, Comparable {
    /// That board, and no other one, served the identity at that time.
    case served
    /// That board served the identity at a time that cannot be compared, for lack of a clock.
    case undated
    /// Several boards served the identity at that time.
    case ambiguous
    /// The peer only wrote the identity, which anybody can do in another's name.
    case written

    public static func < (one: ContactCertainty, other: ContactCertainty) -> Bool {
        one.rawValue < other.rawValue
    }
}
