import Agent
import FixedMemory
import Schemes

/// The keys, secrets and settings on a board's medium beside its log, as a test sets and inspects them.
///
/// Fault model. The medium may refuse any of them, and a switch of the radio's power may fail. The agent
/// must then continue with its present state.
package final class BoardStore {
    /// The board's keys. If nil, the board accepts every command from any client.
    package var keys: BoardKeys?
    /// The schedule of the provisioned day keys; nil if there are none.
    package var heraldSchedule: HeraldKeySchedule?
    package var covidTracerRoot: CovidTracerRootKey?
    /// The stored day keys, made by the board or set over the cable, as records by scheme.
    package var dayKeyRecords: [SchemeID: [UInt8]] = [:]
    package var sonarRecord: [UInt8] = []
    package var keepsSecrets = true
    /// The configuration changes set over the cable.
    package var configurationChanges: [UInt8] = []
    package var keepsConfiguration = true
    /// The refusals to store data from the cable, in order.
    package var refusals: [StoreRefusal] = []
    /// The number of further power-on requests that fail.
    package var vainPowerOns = 0
    /// Whether a switch of the radio's power has no effect. A request for power then reports a failure.
    package var isPowerHookBroken = false
    package var updates = UpdateStore()
    /// The requests of programs on the board, in order, and the agent's answers.
    package var requests: [BoardRequest] = []
    package var answers: [[UInt8]] = []
    /// Called with each request to switch the radio's power.
    package var onPowerSwitch: (_ isOn: Bool) -> Void = { _ in }

    package init() {}

    package func dayKeys(of scheme: SchemeID) -> DayKeys? {
        dayKeyRecords[scheme].flatMap { try? DayKeys(record: $0.span) }
    }

    func keep(configuration changes: [UInt8]) -> Bool {
        guard keepsConfiguration else { return false }
        configurationChanges = changes
        return true
    }

    func keep(_ keys: DayKeys) -> Bool {
        guard keepsSecrets else { return false }
        let all = dayKeys(of: keys.scheme)?.joined(by: keys) ?? keys
        let record = all.record
        dayKeyRecords[keys.scheme] = [UInt8](record.span)
        return true
    }

    func keep(sonarRegistration record: [UInt8]) -> Bool {
        guard keepsSecrets else { return false }
        sonarRecord = record
        return true
    }

    /// The record of a scheme's stored secrets; empty if there is none.
    func secretRecord(of scheme: SchemeID) -> [UInt8]? {
        guard keepsSecrets else { return nil }
        return scheme == .sonar ? sonarRecord : dayKeyRecords[scheme] ?? []
    }

    /// Offers a provisioned key, or else a stored one. The keys of days before `current` are deleted.
    func dayKey(of scheme: SchemeID, on day: UInt32, erasingBefore current: UInt32) -> DayKeyOffer? {
        if let key = provisionedKey(of: scheme, on: day) {
            var offer = DayKeyOffer()
            offer.key = key
            offer.dayCount = DayKeys.maximumDayCount
            return offer
        }
        guard var keys = dayKeys(of: scheme) else { return DayKeyOffer() }
        if keys.drop(before: current) {
            guard keepsSecrets else { return nil }
            let record = keys.record
            dayKeyRecords[scheme] = [UInt8](record.span)
        }
        return keys.offer(on: day)
    }

    private func provisionedKey(of scheme: SchemeID, on day: UInt32) -> Bytes<32>? {
        switch scheme {
        case .herald: try? heraldSchedule?.matchingKey(ofDay: day).key
        case .covidTracer:
            try? covidTracerRoot?.dailyKey(of: CalendarDate(daysSince1970: day)).bytes
        case .sonar, .bleProximity, .exposureNotification, .robert, .dp3t, .tcn: nil
        }
    }

    /// Whether a switch of the radio's power works; nil if it has no effect.
    func switchesPower(_ isOn: Bool) -> Bool? {
        onPowerSwitch(isOn)
        if isPowerHookBroken { return nil }
        guard isOn, vainPowerOns > 0 else { return true }
        vainPowerOns -= 1
        return false
    }
}
