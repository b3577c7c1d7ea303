import Exposure
import Testing

@Suite struct DiagnosisKeyMappingTests {
    private let good = """
        # An authority's table.
        -14..-3  none
        -2..2    high     # two days before, two after

        3..14    standard
        missing  none
        report   clinical
        """

    private func error(_ text: String) -> DiagnosisKeyMappingError? {
        do throws(DiagnosisKeyMappingError) {
            _ = try DiagnosisKeyMapping(text: text)
            return nil
        } catch {
            return error
        }
    }

    @Test func `each of 29 days has its line's infectiousness, and missing days have their own`() throws {
        let mapping = try DiagnosisKeyMapping(text: good)
        for day in -14...14 {
            let expected: Infectiousness = day < -2 ? .none : day <= 2 ? .high : .standard
            #expect(mapping.infectiousness(daysSinceOnset: Int32(day)) == expected, "\(day)")
        }
        #expect(mapping.infectiousness(daysSinceOnset: nil) == .none)
        #expect(mapping.infectiousness(daysSinceOnset: 15) == .none)
        #expect(mapping.reportType(nil) == .confirmedClinicalDiagnosis)
        #expect(mapping.reportType(1) == .confirmedTest)
        let byDay = (-14...14).map { day -> Infectiousness in day < -2 ? .none : day <= 2 ? .high : .standard
        }
        #expect(
            mapping
                == DiagnosisKeyMapping(
                    byDay: byDay, infectiousnessWhenMissing: .none,
                    reportTypeWhenMissing: .confirmedClinicalDiagnosis))
    }

    @Test func `errors are reported with their line, and omissions by name`() {
        let changes: [(String, String, Int?, DiagnosisKeyMappingError.Reason)] = [
            ("-14..-3  none", "-14..-3", 2, .notTwoWords),
            ("-14..-3  none", "-14 .. -3 none", 2, .notTwoWords),
            ("-14..-3  none", "-15..-3 none", 2, .noDays("-15..-3")),
            ("-2..2    high", "2..-2 high", 3, .noDays("2..-2")),
            ("-2..2    high", "..2 high", 3, .noDays("..2")),
            ("-2..2    high", "onset high", 3, .noDays("onset")),
            ("-2..2    high", "-2..2 HIGH", 3, .noInfectiousness("HIGH")),
            ("-2..2    high", "-3..2 high", 3, .repeated("day -3")),
            ("-2..2    high", "-2..1 high", nil, .left("day 2")),
            ("missing  none", "missing  none\nmissing none", 7, .repeated("missing")),
            ("missing  none", "", nil, .left("missing")),
            ("report   clinical", "report unknown", 7, .noReportType("unknown")),
            ("report   clinical", "", nil, .left("report")),
        ]
        for (old, new, line, reason) in changes {
            let found = error(good.replacing(old, with: new))
            #expect(found?.line == line && found?.reason == reason, "\(new)")
        }
        #expect(error("")?.reason == .left("day -14"))
        #expect(error(good.replacing("\n", with: "\r\n")) == nil)
    }
}
