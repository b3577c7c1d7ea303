/// The connection interval and the supervision timeout of a link.
public struct LinkParameters: Sendable {
    public var interval = SimulatedDuration.milliseconds(30)
    public var supervision = SimulatedDuration.seconds(5)

    public init() {}
}
