import Testing

@testable import FlashSimulator

/// The verdict can fail: it counts damage that goes unnoticed, or that costs other pages.
@Suite struct DamageTrialTests {
    private func trial(_ pages: PowerCutScenario.Pages = .clear) throws -> DamageTrial {
        try DamageTrial(PowerCutScenario(medium: .nor, pages: pages, mode: .whole, seed: 1))
    }

    @Test(arguments: PowerCutScenario.Pages.allCases)
    func `damage costs its page, and is reported`(pages: PowerCutScenario.Pages) throws {
        let trial = try trial(pages)
        for damage in DamageTrial.Damage.allCases {
            // `make flips` tries each kind of damage thousands of times.
            let counts = trial.run(damage, times: 15)
            #expect(counts.tried == 15)
            #expect(counts.pageLost == 15, "\(damage): \(counts)")
        }
    }

    @Test func `unreported damage is counted`() throws {
        let trial = try trial()
        trial.sabotage = { reading in
            reading.faults = []
            for index in reading.pages.indices { reading.pages[index].chainBefore = nil }
            reading.pages = Array(reading.pages.prefix(1))
        }
        #expect(trial.run(.zeros, times: 5).silent >= 4)
    }

    @Test func `damage that costs another page is counted`() throws {
        let trial = try trial()
        trial.sabotage = { $0.pages.removeLast() }
        #expect(trial.run(.zeros, times: 5).moreLost >= 4)
    }
}
