import FlashSimulator

/// A world that exists in memory only, and runs the same way each time it is made from the same seed: boards with
/// whole agents on them, phones and other devices, and the air between them.
///
/// Nothing in it looks at a real clock, an address in memory, or the order of a hash table.
public final class World {
    public let seed: UInt64
    public private(set) var now = SimulatedTime.zero
    public private(set) var trace = Trace()
    /// How many alarms have rung.
    public private(set) var wakeCount: UInt64 = 0

    private var queue = WakeQueue()
    private var inhabitants: [Inhabitant?] = []
    private let random: RandomStream

    private var madeAir: Air?
    private var madeAgenda: Agenda?

    public init(seed: UInt64) {
        self.seed = seed
        random = RandomStream(seed: seed)
    }

    /// Lets go of everybody in it. World and inhabitants keep each other until then.
    public func end() {
        let everybody = inhabitants
        for inhabitant in everybody { inhabitant?.worldEnds() }
        inhabitants = []
        queue = WakeQueue()
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

    /// Random numbers for one purpose. The same name gives the same numbers.
    public func random(_ name: String) -> RandomStream { random.split(name) }

    /// Lets time pass, with all that happens in it, up to and including `end`.
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

    /// Runs until `isDone`, which is looked at every 10 ms, at most for `limit`.
    /// - Returns: whether it was.
    @discardableResult
    public func run(atMost limit: SimulatedDuration, until isDone: () -> Bool) -> Bool {
        let end = now + limit
        while !isDone() {
            guard now < end else { return false }
            run(for: .milliseconds(10))
        }
        return true
    }

    /// Plans a call.
    public func at(_ time: SimulatedTime, _ plan: @escaping () -> Void) {
        agenda.add(at: max(time, now), plan)
    }

    public func after(_ duration: SimulatedDuration, _ plan: @escaping () -> Void) {
        at(now + duration, plan)
    }

    /// Notes something for ``trace``.
    func note(_ event: TraceEvent, _ value: UInt64) {
        trace.note(event, value, atMicroseconds: now.microseconds)
    }

    func note(_ event: TraceEvent, _ bytes: [UInt8]) {
        trace.note(event, bytes, atMicroseconds: now.microseconds)
    }

    // MARK: Inhabitants

    func reserveNumber() -> Int32 {
        inhabitants.append(nil)
        return Int32(inhabitants.count - 1)
    }

    func adopt(_ inhabitant: Inhabitant) { inhabitants[Int(inhabitant.number)] = inhabitant }

    /// Its alarms will not ring any more. Numbers are not used again.
    func remove(_ inhabitant: Inhabitant) {
        if Int(inhabitant.number) < inhabitants.count { inhabitants[Int(inhabitant.number)] = nil }
    }

    func setAlarm(_ alarm: UInt32, at time: SimulatedTime, for inhabitant: Int32) {
        guard time < .never else { return }
        queue.push(max(time, now), inhabitant: inhabitant, alarm: alarm)
    }
}
