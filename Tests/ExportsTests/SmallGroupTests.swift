import Archive
import Testing

@testable import Exports

@Suite struct SmallGroupTests {
    @Test
    func `ages go first, then sexes, then groups, each only as far as needed`() {
        let groups = SmallGroups(
            [
                "alike 1": Label(group: "A", ageYears: 7, sex: "F"),
                "alike 2": Label(group: "A", ageYears: 7, sex: "F"),
                "by age": Label(group: "B", ageYears: 30, sex: "M"),
                "by age, too": Label(group: "B", ageYears: 31, sex: "M"),
                "by sex": Label(group: "C", ageYears: 40, sex: "F"),
                "by sex, too": Label(group: "C", ageYears: 41, sex: "M"),
                "alone": Label(group: "D", ageYears: 50, sex: "F"), "unknown": Label(),
            ], smallest: 2)
        #expect(groups["alike 1"] == Label(group: "A", ageYears: 7, sex: "F"))
        #expect(groups["by age"] == Label(group: "B", sex: "M"))
        #expect(groups["by sex"] == Label(group: "C"))
        #expect(groups["alone"] == Label())
    }

    @Test
    func `one hides nothing but the name`() {
        let groups = SmallGroups([1: Label(name: "Ada", group: "A", ageYears: 36, sex: "F")], smallest: 1)
        #expect(groups[1] == Label(group: "A", ageYears: 36, sex: "F"))
        #expect(groups[2] == Label())
    }
}
