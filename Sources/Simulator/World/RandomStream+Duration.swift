import FlashSimulator

extension RandomStream {
    /// A length between nothing and `longest`.
    public mutating func duration(upTo longest: SimulatedDuration) -> SimulatedDuration {
        .microseconds(below(longest.microseconds + 1))
    }
}
