/// A broken invariant.
public struct Violation: Sendable, CustomStringConvertible {
    public let check: String
    public let time: SimulatedTime
    public let what: String

    /// - Parameter check: The name of the check.
    init(of check: String, _ what: String, in checker: InvariantChecker) {
        self.check = check
        time = checker.world.now
        self.what = what
    }

    public var description: String { "\(check) at \(time.inSeconds) s: \(what)" }
}
