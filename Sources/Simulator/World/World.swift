import FlashSimulator

/// A world in memory that runs the same way each time it is made from the same seed. It has boards with
/// whole agents on them, phones and other devices, and the air between them.
///
/// Nothing in it depends on a real clock, a memory address, or the order of a hash table.
public final class World {
    public let seed: UInt64
    public private(set) var now = SimulatedTime.zero
    public private(set) var trace = Trace()
    /// The number of alarms that have rung.
    public private(set) var wakeCount: UInt64 = 0

    private var queue = WakeQueue()
    private var inhabitants: [WorldActor?] = []
    private let random: RandomStream

    private var madeAir: Air?
    private var madeAgenda: Agenda?

    public init(seed: UInt64) {
        self.seed = seed
        random = RandomStream(seed: seed)
    }

    /// Releases all actors. Until then the world and its actors keep each other alive.
    public func end() {
        let everybody = inhabitants
        for inhabitant in everybody { inhabitant?.worldEnds() }
        inhabitants = []
        queue = WakeQueue()
        madeAir?.worldEnds()
        madeAir = nil
        madeAgenda = nil
    }

    public var air: Air {
        if let madeAir { return madeAir }
        let air = Air(in: self)
        madeAir = air
        return air
    }

    private var agenda: Agenda {
        if let madeAgenda { return madeAgenda }
        let agenda = Agenda(in: self)
        madeAgenda = agenda
        return agenda
    }

    /// A random stream for one purpose. The same name gives the same numbers.
    public func random(_ name: String) -> RandomStream { random.split(name) }

    /// Advances time, with all that happens meanwhile, up to and including `end`.
    public func run(until end: SimulatedTime) {
        while let wake = queue.first, wake.microseconds <= end.microseconds {
            queue.removeFirst()
            now = SimulatedTime(microseconds: wake.microseconds)
            wakeCount &+= 1
            inhabitants[Int(wake.inhabitant)]?.wake(wake.alarm)
        }
        now = max(now, end)
    }

    public func run(for duration: SimulatedDuration) { run(until: now + duration) }

    /// Runs until `isDone`, tested every 10 ms, becomes true, at most for `limit`.
    /// - Returns: Whether `isDone` became true.
    @discardableResult
    public func run(atMost limit: SimulatedDuration, until isDone: () -> Bool) -> Bool {
        let end = now + limit
        while !isDone() {
            guard now < end else { return false }
            run(for: .milliseconds(10))
        }
        return true
    }

    /// Plans a call at `time`, or now if that has passed.
    public func at(_ time: SimulatedTime, _ plan: @escaping () -> Void) {
        agenda.add(at: max(time, now), plan)
    }

    public func after(_ duration: SimulatedDuration, _ plan: @escaping () -> Void) {
        at(now + duration, plan)
    }

    /// Adds an event to ``trace``.
    func record(_ event: TraceEvent, _ value: UInt64) {
        trace.record(event, value, atMicroseconds: now.microseconds)
    }

    func record(_ event: TraceEvent, _ bytes: [UInt8]) {
        trace.record(event, bytes, atMicroseconds: now.microseconds)
    }

    // MARK: Actors

    func reserveNumber() -> Int32 {
        inhabitants.append(nil)
        return Int32(inhabitants.count - 1)
    }

    func adopt(_ inhabitant: WorldActor) { inhabitants[Int(inhabitant.number)] = inhabitant }

    /// Removes an actor. Its alarms no longer ring, and its number is not used again.
    func remove(_ inhabitant: WorldActor) {
        if Int(inhabitant.number) < inhabitants.count { inhabitants[Int(inhabitant.number)] = nil }
    }

    func setAlarm(_ alarm: UInt32, at time: SimulatedTime, for inhabitant: Int32) {
        guard time < .never else { return }
        queue.push(max(time, now), inhabitant: inhabitant, alarm: alarm)
    }
}
