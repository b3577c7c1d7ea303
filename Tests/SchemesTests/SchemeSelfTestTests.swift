import Schemes
import Testing

@Suite struct SchemeSelfTestTests {
    @Test func `every scheme gives its known answers, and each case is reported once`() {
        var reports: [(name: String, passed: Bool)] = []
        let failed = SchemeSelfTest.run { reports.append(("\($0)", $1)) }
        #expect(failed == nil)
        let names = Set(reports.filter(\.passed).map(\.name))
        #expect(names.count == 6)
        #expect(reports.count == 6)
    }
}
