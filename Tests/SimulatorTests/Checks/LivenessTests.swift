import Testing

@testable import Simulator

/// Worlds in which the second phase of a run must give a phone longer to read the board than a minute.
@Suite struct LivenessTests {
    /// Plays two minutes and then the second phase, with phones that come every few seconds and stand nearer
    /// to the board than the phone that must read it.
    private func violations(
        in options: Set<WorldOption>, frequentPhones: Int, worldSeed: UInt64 = 1,
        prepare: (CheckedBoard) -> Void = { _ in }
    ) -> [String] {
        let checked = CheckedBoard(worldSeed: worldSeed) { runOptions in
            runOptions.logSoon()
            runOptions.world = options
        }
        let (world, neighbours) = (checked.world, checked.neighbours)
        for number in 0..<frequentPhones { checked.add("frequent \(number)", .frequent) }
        prepare(checked)
        checked.board.powerOn()
        checked.run(.minutes(2))
        checked.controller.faults.endAll()
        let host = SyncingHost("operator", at: checked.board.line, in: world)
        let messages = OperatorMessages(to: neighbours, random: world.random("messages"))
        LivenessPhase(checked.checker, host: host, messages: messages).run()
        return checked.end().map { "\($0)" }
    }

    @Test(arguments: UInt64(1)...3)
    func `a repair from outside frees no slot of a link that the agent takes for open`(seed: UInt64) {
        let violations = violations(in: [.oneLink], frequentPhones: 4, worldSeed: seed) { checked in
            // Addresses that change all the time hide the filter, so the world repairs the radio.
            checked.neighbours.bystanders.append(
                Bystander("hostile", .hostile, at: Route(standingAt: Position(3, 0)), in: checked.world))
            checked.controller.faults.begin(.duplicateFilter, cure: .powerCycle)
            checked.controller.faults.begin(.untoldEndings, cure: .powerCycle)
        }
        #expect(violations == [])
    }

    /// A board takes one refusal of its scan beside its adverts for the controller's way. Each start of the
    /// scan then empties the filter.
    @Test func `a filter does no harm on a board that has come to alternate scanning and advertising`() {
        let violations = violations(in: [], frequentPhones: 0) { checked in
            let script = ScriptedBehaviour()
            script.set(.refuse(.commandDisallowed), to: .leSetScanEnable, times: 1) { $0.first == 1 }
            checked.controller.script = script
            checked.controller.faults.begin(.duplicateFilter, cure: .powerCycle)
        }
        #expect(violations == [])
    }

    /// An agent that has just started sends a message only to a device that it has heard since then.
    @Test func `a message waits until an agent that started anew has heard the phone`() {
        let violations = violations(in: [.operatorSends, .silent], frequentPhones: 0) { checked in
            killAgentWhenWitnessIsHeard(checked)
        }
        // The other checks do not know this host, so its message is a stranger's to them.
        #expect(violations.filter { $0.hasPrefix("Liveness") } == [])
    }

    private func killAgentWhenWitnessIsHeard(_ checked: CheckedBoard) {
        checked.world.after(.milliseconds(10)) {
            let witness = checked.neighbours.phones.first { $0.name == "witness" }
            if let witness, checked.checker.hasHeard(witness, since: .zero) {
                checked.board.killAgent()
            } else {
                killAgentWhenWitnessIsHeard(checked)
            }
        }
    }

    /// Four such phones do so in one run of hundreds. Thirty make it likely.
    @Test func `phones that come often may keep the only slot from another for longer than a minute`() {
        let options: Set<WorldOption> = [.keepsOneLink, .tenLinks, .dropsWeakestLink]
        #expect(violations(in: options, frequentPhones: 30, worldSeed: 3) == [])
    }

    /// There are slots for all, but one second of six in which phones can connect.
    @Test func `phones that come often may answer each of the few adverts by which another could connect`() {
        let options: Set<WorldOption> = [
            .keepsSixteenLinks, .tenLinks, .dropsWeakestLink, .rolesByTurns, .exposureNotificationOn,
        ]
        #expect(violations(in: options, frequentPhones: 20, worldSeed: 1) == [])
    }
}
