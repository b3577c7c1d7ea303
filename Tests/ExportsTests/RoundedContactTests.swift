import Testing

@testable import Exports

@Suite struct RoundedContactTests {
    @Test(
        arguments: [
            (0, 0, 0, 0), (1, 299, 0, 300), (300, 301, 300, 600), (-1, 1, -300, 300),
        ] as [(Int64, Int64, Int64, Int64)])
    func `starts go down and ends go up, also before 1970`(
        start: Int64, end: Int64, roundedStart: Int64, roundedEnd: Int64
    ) {
        let contact = NetworkContact.of(1, 2, start, end).rounded(to: 300)
        #expect((contact.start, contact.end) == (roundedStart, roundedEnd))
    }
}
