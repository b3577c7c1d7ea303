/// The calls that a scenario has planned for given times.
final class Agenda: WorldActor {
    private var plans: [UInt32: () -> Void] = [:]
    private var nextPlan: UInt32 = 0

    func add(at time: SimulatedTime, _ plan: @escaping () -> Void) {
        plans[nextPlan] = plan
        setAlarm(nextPlan, at: time)
        nextPlan &+= 1
    }

    override func wake(_ alarm: UInt32) { plans.removeValue(forKey: alarm)?() }
}
