import TestSupport
import Testing
import TextFormats

@Suite struct CivilTimeTests {
    private func seconds(_ text: String) -> Int64? { CivilTime.seconds(ArraySlice(Array(text.utf8))) }

    @Test func `the epoch is zero`() {
        #expect(seconds("1970-01-01 00:00:00") == 0)
        #expect(seconds("2020-12-08 23:20:00") == 1_607_469_600)
        #expect(seconds("1969-12-31 23:59:59") == -1)
    }

    @Test func `text behind the seconds is ignored`() {
        #expect(seconds("2022-11-29 22:21:56.552+0000") == seconds("2022-11-29 22:21:56"))
    }

    @Test func `date and time may be joined by a T`() {
        #expect(seconds("2022-11-29T22:21:56") == seconds("2022-11-29 22:21:56"))
    }

    @Test(arguments: [
        "", "2020-12-08", "2020-13-08 23:20:00", "2020-02-30 23:20:00",
        "2021-02-29 00:00:00", "2020-12-08 24:00:00", "2020-12-08 23:60:00", "2020-12-0x 23:20:00",
        "-020-12-08 23:20:00",
    ])
    func `a text that is not a time gives nil`(_ text: String) { #expect(seconds(text) == nil) }

    @Test func `every day of the four-digit years converts there and back`() {
        var second = CivilTime.representableSeconds.lowerBound
        while second <= CivilTime.representableSeconds.upperBound {
            guard seconds(CivilTime.text(second)) == second else {
                Issue.record("\(second) is written as \(CivilTime.text(second))")
                return
            }
            // Advances by some days, and to another second of the day.
            second += 86_400 * 41 + 12_345
        }
        #expect(CivilTime.text(.max) == "9999-12-31 23:59:59")
        #expect(CivilTime.text(.min) == "0000-01-01 00:00:00")
    }
}
