import Agent
import Configuration
import EncounterLog
import FixedMemory
import HCI
import TestSupport
import Testing

@testable import Radio

@Suite struct AgentSettingsTests {
    private func settings(_ options: String...) throws -> AgentSettings {
        var configuration = EffectiveConfiguration()
        for option in ["herald.location=123456"] + options {
            try configuration.apply(Array(option.utf8).span)
        }
        try configuration.validate()
        var identity = Bytes<16>()
        for index in 0..<16 { identity[index] = UInt8(index + 1) }
        return try AgentSettings(configuration.values, logIdentity: identity, softwareVersion: Bytes())
    }

    @Test func `the defaults equal those in the documentation`() throws {
        let settings = try settings()
        #expect(settings.radio.scans && settings.radio.advertises)
        #expect(settings.radio.advertisingIntervalSlots == 400)
        #expect(settings.radio.duty.near.intervalSlots == 96)
        #expect(settings.radio.duty.near.windowSlots == 80)
        #expect(settings.radio.linkLimit == 4)
        #expect(settings.recorder.peerCapacity == 4096)
        #expect(settings.recorder.sampleLength == 8_000)
        #expect(settings.recorder.encounterTimeout == 30_000)
        #expect(!settings.recorder.recordsReadings)
        #expect(!settings.policy.dropsWeakestLink)
        #expect(settings.lossWindow == 30_000)
        #expect(settings.role == .beacon)
        #expect(settings.payload.span.array.hex == "303a03000040e20100")
    }

    @Test func `each configuration key sets its setting`() throws {
        let settings = try settings(
            "radio.scan=false", "radio.advertising_interval_milliseconds=100",
            "radio.scan_interval_milliseconds=100", "radio.scan_window_milliseconds=30",
            "radio.tx_power_dbm=-20", "radio.address=C1:22:33:44:55:66", "herald.state=4",
            "herald.name=Adams Pizza", "encounters.peers=100", "encounters.links=2",
            "encounters.sample_seconds=2", "encounters.gap_seconds=15",
            "encounters.raw=true", "encounters.drop_weakest_link=true", "log.loss_window_seconds=3")
        #expect(!settings.radio.scans)
        #expect(settings.radio.advertisingIntervalSlots == 160)
        #expect(settings.radio.duty.near.intervalSlots == 160)
        #expect(settings.radio.duty.near.windowSlots == 48)
        #expect(settings.radio.transmitPower.dBm == -20)
        #expect(settings.radio.address == DeviceAddress(value: 0xc122_3344_5566, isRandom: true))
        #expect(settings.payload.span.array.hex == "303a03040040e20100100b4164616d732050697a7a61")
        #expect(settings.recorder.peerCapacity == 100)
        #expect(settings.radio.linkLimit == 2)
        #expect(settings.recorder.sampleLength == 2_000)
        #expect(settings.recorder.encounterTimeout == 15_000)
        #expect(settings.recorder.recordsReadings)
        #expect(settings.policy.dropsWeakestLink)
        #expect(settings.lossWindow == 3_000)
    }

    @Test func `A beacon with a client id serves Herald's fixed payload, and no venue`() throws {
        var configuration = EffectiveConfiguration()
        for option in ["herald.client_id=123456789", "herald.state=4"] {
            try configuration.apply(Array(option.utf8).span)
        }
        try configuration.validate()
        let settings = try AgentSettings(
            configuration.values, logIdentity: Bytes(), softwareVersion: Bytes())
        #expect(settings.role == .beacon)
        #expect(settings.payload.span.array.hex == "083a03040015cd5b0700000000")
    }

    @Test func `the address derived from the log's identity is a static random address`() throws {
        let address = try settings().radio.address
        #expect(address.isStaticRandom)
        #expect(address.value & 0xff_ffff_ffff == 0x05_0403_0201)
    }

    @Test(
        arguments: [(20, 32), (60, 96), (100, 160), (250, 400), (10_240, 16_384)] as [(UInt16, UInt16)])
    func `milliseconds become slots of 0.625 ms`(_ milliseconds: UInt16, _ slots: UInt16) {
        #expect(ScanTiming.slots(milliseconds: milliseconds) == slots)
    }
}
