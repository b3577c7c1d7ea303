/// How often the two sides of a link meet, and for how long they may miss each other.
public struct LinkParameters: Sendable {
    public var interval = SimulatedDuration.milliseconds(30)
    public var supervision = SimulatedDuration.seconds(5)

    public init() {}
}
