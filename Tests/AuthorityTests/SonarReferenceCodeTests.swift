import Authority
import TestSupport
import Testing

@Suite struct SonarReferenceCodeTests {
    @Test func `a code has eight characters in two groups and reads back as it was written`() throws {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<1_000 {
            let code = SonarReferenceCode(using: &generator)
            #expect(code.text.count == 9)
            #expect(SonarReferenceCode(code.text) == code)
            #expect(SonarReferenceCode(code.text.uppercased()) == code)
        }
    }

    @Test func `every wrong character and every exchange of neighbours is detected`() throws {
        var generator = SeededGenerator(seed: 2)
        let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz")
        for _ in 0..<100 {
            let characters = SonarReferenceCode(using: &generator).text.filter { $0 != "-" }.map(\.self)
            for index in characters.indices {
                for other in alphabet where other != characters[index] {
                    var wrong = characters
                    wrong[index] = other
                    #expect(SonarReferenceCode(String(wrong)) == nil)
                }
                guard index > 0, characters[index] != characters[index - 1] else { continue }
                var wrong = characters
                wrong.swapAt(index, index - 1)
                #expect(SonarReferenceCode(String(wrong)) == nil)
            }
        }
    }

    @Test func `letters that look like digits are read as digits`() throws {
        var generator = SeededGenerator(seed: 3)
        let code = try #require(
            (0..<1_000).map { _ in SonarReferenceCode(using: &generator) }.first {
                $0.text.contains("0") && $0.text.contains("1")
            })
        let typed = code.text.replacing("0", with: "O").replacing("1", with: "l")
        #expect(SonarReferenceCode(typed) == code)
    }
}
