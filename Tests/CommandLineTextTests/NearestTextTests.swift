import CommandLineText
import Testing

@Suite struct NearestTextTests {
    @Test func `the nearest name within two letters is meant`() {
        #expect(NearestText.nearest(to: "encouters", among: ["coverage", "encounters"]) == "encounters")
        #expect(NearestText.nearest(to: "herold", among: ["sonar", "herald"]) == "herald")
    }

    @Test func `a name that is too far from all is not replaced`() {
        #expect(NearestText.nearest(to: "doctor", among: ["coverage", "encounters"]) == nil)
    }
}
