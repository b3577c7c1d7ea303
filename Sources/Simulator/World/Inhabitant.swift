/// Whatever in the world acts at times of its own.
open class Inhabitant {
    public let world: World
    let number: Int32

    /// The world keeps it.
    public init(in world: World) {
        self.world = world
        number = world.reserveNumber()
        world.adopt(self)
    }

    /// An alarm that was set has come. It may be out of date: whoever sets alarms checks what is still due.
    func wake(_ alarm: UInt32) {}

    /// The world is over; whoever holds others lets go of them.
    func worldEnds() {}

    final func setAlarm(_ alarm: UInt32, at time: SimulatedTime) {
        world.setAlarm(alarm, at: time, for: number)
    }
}
