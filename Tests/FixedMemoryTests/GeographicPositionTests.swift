import FixedMemory
import TestSupport
import Testing

@Suite struct GeographicPositionTests {
    @Test(
        arguments: [
            ("51.507351, -0.127758", 51_507_351, -127_758), ("51.507351,-0.127758", 51_507_351, -127_758),
            ("0, 0", 0, 0), ("-90, 180", -90_000_000, 180_000_000),
            ("90.000000,-180.0", 90_000_000, -180_000_000),
            ("-33.8688,   151.2", -33_868_800, 151_200_000), ("007,1", 7_000_000, 1_000_000),
        ] as [(String, Int32, Int32)])
    func `degrees are read to a millionth`(text: String, latitude: Int32, longitude: Int32) {
        let position = GeographicPosition(parsing: Array(text.utf8).span)
        #expect(position?.latitudeMicrodegrees == latitude)
        #expect(position?.longitudeMicrodegrees == longitude)
    }

    @Test(arguments: [
        "", ",", "51", "51,", ",0", "51 0", "51;0", "90.000001,0", "-90.1,0", "0,180.000001", "0,-181",
        "91,0",
        "1000,0", "999,999", "0.1234567,0", "0,0.", ".5,0", "-,0", "+1,0", "0,0 ", " 0,0", "0,0,0", "1e1,0",
        "51\u{b0},0", "51,5, 0,1", "--1,0", "0 ,0",
    ])
    func `a text that is not a position is refused`(text: String) {
        #expect(GeographicPosition(parsing: Array(text.utf8).span) == nil)
    }

    @Test(arguments: [1, 2] as [UInt64])
    func `a written position can be read back`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<1_000 {
            let position = try #require(
                GeographicPosition(
                    latitudeMicrodegrees: .random(in: -90_000_000...90_000_000, using: &generator),
                    longitudeMicrodegrees: .random(in: -180_000_000...180_000_000, using: &generator)))
            var text = FixedBuffer<32>()
            try text.append(position)
            let copy = GeographicPosition(parsing: text.span)
            #expect(copy == position)
        }
    }

    @Test func `positions are written with six decimals`() throws {
        let position = try #require(
            GeographicPosition(latitudeMicrodegrees: -5, longitudeMicrodegrees: -179_000_050))
        var text = FixedBuffer<32>()
        try text.append(position)
        #expect(
            String(decoding: text.span.indices.map { text[$0] }, as: UTF8.self) == "-0.000005, -179.000050")
    }
}
