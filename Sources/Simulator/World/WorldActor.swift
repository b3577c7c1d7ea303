/// An actor in the world: anything that acts at times of its own.
open class WorldActor {
    public let world: World
    let number: Int32

    /// Registers the actor with the world, which keeps it alive.
    public init(in world: World) {
        self.world = world
        number = world.reserveNumber()
        world.adopt(self)
    }

    /// Handles an alarm that is due. An alarm may be out of date, so the actor checks what is still
    /// pending.
    func wake(_ alarm: UInt32) {}

    /// Releases references to other actors, because the world has ended.
    func worldEnds() {}

    final func setAlarm(_ alarm: UInt32, at time: SimulatedTime) {
        world.setAlarm(alarm, at: time, for: number)
    }
}
