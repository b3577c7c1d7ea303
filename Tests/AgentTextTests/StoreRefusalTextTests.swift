import Agent
import AgentText
import Configuration
import FixedMemory
import Testing

@testable import Radio

@Suite struct StoreRefusalTextTests {
    @Test(
        arguments: [
            (.unknownRecord, "the record holds neither day keys nor a Sonar registration, or is damaged"),
            (.notStored, "the board cannot store it; check the board's medium"),
        ] as [(StoreRefusal, String)])
    func `A refusal gives its reason`(refusal: StoreRefusal, reason: String) throws {
        #expect(try text(refusal) == reason)
    }

    @Test func `A configuration is refused with the words that its file would be`() throws {
        var configuration = EffectiveConfiguration()
        let assignments = Array("radio.scna=true".utf8)
        do throws(ConfigurationError) {
            try configuration.change(assignments.span)
            Issue.record("the key does not exist")
        } catch {
            #expect(try text(.configuration(error)) == "radio.scna: no such key; did you mean scan?")
        }
    }

    private func text(_ refusal: StoreRefusal) throws -> String {
        var reason = FixedBuffer<1024>()
        try refusal.write(to: &reason)
        return String(decoding: (0..<reason.count).map { reason[$0] }, as: UTF8.self)
    }
}
