import EncounterLog
import Testing

@Suite struct SchemeCodeTests {
    @Test(
        arguments: [
            (1, "herald"), (2, "sonar"), (3, "covid-tracer"), (4, "ble-proximity"),
            (5, "exposure-notification"),
            (6, "robert"), (7, "dp3t"), (8, "tcn"),
        ] as [(UInt8, String)])
    func `a scheme's number and name never change`(number: UInt8, name: String) throws {
        #expect("\(try #require(SchemeCode(rawValue: number).id?.name))" == name)
    }

    @Test func `other numbers have no name`() {
        #expect(([0] + (9...255)).allSatisfy { SchemeCode(rawValue: $0).id == nil })
    }
}
