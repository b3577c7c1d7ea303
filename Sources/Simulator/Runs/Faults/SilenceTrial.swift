import Agent

/// A radio that is deaf for so long that the agent expects no device any more, or that became deaf before
/// any came. Either an answer shows it (``ControllerFault/silence``), or nothing does
/// (``ControllerFault/muteScan``). The trial measures how soon it receives after the cause has ended.
public struct SilenceTrial: Sendable {
    public enum Beginning: String, CaseIterable, Sendable {
        /// All phones become silent in the same moment. In the end the agent assumes an empty room.
        case amongPhones = "among phones"
        /// The phones come while the radio is deaf.
        case inAnEmptyRoom = "in an empty room"
    }

    public let fault: ControllerFault
    public let beginning: Beginning
    public let length: SimulatedDuration
    public let cure: FaultCure
    /// The time from the end of the cause to the first good report. Nil if there was none within a minute
    /// after ``limitSeconds``.
    public let backAfterSeconds: Double?
    /// The time in which the radio must receive again; nil if no agent could know that it is deaf.
    public let limitSeconds: Double?

    private static let settling = SimulatedDuration.minutes(2)
    /// The longest pause between two resets after all devices fell silent together.
    private static let resetLimitSeconds = 14_460.0
    private static let faults: [ControllerFault] = [.silence, .muteScan]

    public static let all: [(ControllerFault, Beginning, SimulatedDuration, FaultCure)] =
        faults.flatMap { fault in
            Beginning.allCases.flatMap { beginning in
                [SimulatedDuration.minutes(20), .hours(3)].flatMap { length in
                    [FaultCure.byItself, .scanRestart, .reset].map { (fault, beginning, length, $0) }
                }
            }
        }

    public init(
        _ fault: ControllerFault, _ beginning: Beginning, lasting length: SimulatedDuration,
        cure: FaultCure, seed: UInt64 = 1
    ) {
        self.fault = fault
        self.beginning = beginning
        self.length = length
        self.cure = cure
        let limit: Double? =
            fault == .silence || cure <= .scanRestart
            ? FaultOutcome.recoveryLimitSeconds
            : beginning == .amongPhones ? Self.resetLimitSeconds : nil
        limitSeconds = limit
        let world = World(seed: seed)
        let board = SimulatedBoard("board", in: world)
        var phones: [SimulatedPhone] = []
        func come() {
            phones = (0..<5).map { number in
                SimulatedPhone(
                    "phone \(number)", payload: [0x10, UInt8(number)],
                    at: Route(standingAt: Position(Double(number), 2)), in: world)
            }
        }
        board.powerOn()
        if beginning == .amongPhones { come() }
        world.run(for: Self.settling)
        board.controller.faults.begin(fault, cure: cure)
        world.run(for: length)
        if beginning == .inAnEmptyRoom { come() }
        let ending = world.now
        board.controller.faults.end(fault)
        let patience = SimulatedDuration.milliseconds(UInt64((limit ?? 0) * 1_000) + 60_000)
        let isBack = world.run(atMost: patience) {
            board.controller.truth.lastGoodReportTaken.map { $0 >= ending } ?? false
        }
        backAfterSeconds = isBack ? (world.now - ending).seconds : nil
        withExtendedLifetime(phones) { world.end() }
    }

    /// The reason why the trial failed; nil if it passed.
    public var complaint: String? {
        guard let limit = limitSeconds else { return nil }
        guard let back = backAfterSeconds else { return "never back" }
        return back > limit ? "not back in time" : nil
    }
}
