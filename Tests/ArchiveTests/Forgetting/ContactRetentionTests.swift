import EncounterLog
import Testing

@testable import Archive

@Suite struct ContactRetentionTests {
    @Test func `every scheme that boards know has a retention time`() {
        let kinds = ContactRetention.usual.map(\.kind)
        #expect(Set(kinds).count == kinds.count)
        for scheme in SchemeCode.named { #expect(kinds.contains(.scheme(scheme)), "\(scheme.label)") }
        let retention = ContactRetention()
        for (label, days) in [
            ("herald", 28), ("sonar", 28), ("covid-tracer", 15), ("ble-proximity", 28),
            ("exposure-notification", 14), ("blue-trace", 21), ("dp3t", 14),
        ] {
            #expect(ContactKind(label: label).map { retention[$0] } == days)
        }
    }

    /// Not longer than boards keep their logs, and not shorter than any scheme's retention time.
    @Test func `contacts of unknown schemes have the longest retention time`() {
        let retention = ContactRetention()
        #expect(retention[.unidentified] == ContactRetention.usual.map(\.days).max())
        #expect(retention[.scheme(SchemeCode(rawValue: 99))] == retention[.unidentified])
    }
}
