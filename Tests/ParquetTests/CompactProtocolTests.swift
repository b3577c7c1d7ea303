import Testing

@testable import Parquet

@Suite struct CompactProtocolTests {
    @Test(
        arguments: [
            (0, [0x00]), (-1, [0x01]), (1, [0x02]), (-2, [0x03]), (2, [0x04]), (64, [0x80, 0x01]),
            (Int(Int32.max), [0xfe, 0xff, 0xff, 0xff, 0x0f]),
            (Int.min, [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]),
        ] as [(Int, [UInt8])])
    func `integers are zigzag varints`(_ value: Int, _ expected: [UInt8]) {
        #expect(CompactProtocolWriter.structure { $0.integer64(1, value) } == [0x16] + expected + [0])
    }

    @Test func `a field header holds the difference to the field before`() {
        let bytes = CompactProtocolWriter.structure {
            $0.integer32(1, 1)
            $0.boolean(3, true)
            $0.boolean(4, false)
            $0.string(19, "ä")
            // A difference over 15 has the long form: the type, then the field as a zigzag varint.
            $0.integer64(40, -1)
        }
        #expect(bytes == [0x15, 0x02, 0x21, 0x12, 0xf8, 0x02, 0xc3, 0xa4, 0x06, 0x50, 0x01, 0x00])
    }

    @Test func `fields count from zero within a structure, and go on after it`() {
        let bytes = CompactProtocolWriter.structure { outer in
            outer.structure(2) { $0.integer32(1, 3) }
            outer.integer32(3, 4)
        }
        #expect(bytes == [0x2c, 0x15, 0x06, 0x00, 0x15, 0x08, 0x00])
    }

    @Test func `a list has its count before its elements`() {
        func list(_ count: Int) -> [UInt8] {
            CompactProtocolWriter.structure {
                $0.list(1, of: .integer32, Array(repeating: 1, count: count)) { $0.element($1) }
            }
        }
        #expect(list(0) == [0x19, 0x05, 0x00])
        #expect(list(2) == [0x19, 0x25, 0x02, 0x02, 0x00])
        #expect(list(14).prefix(2) == [0x19, 0xe5])
        #expect(list(15).prefix(3) == [0x19, 0xf5, 0x0f])
        #expect(list(200).prefix(4) == [0x19, 0xf5, 0xc8, 0x01])
        let encoded = CompactProtocolWriter.structure {
            $0.list(1, of: .structure, count: 1, encoded: [0x15, 0x02, 0x00])
        }
        #expect(encoded == [0x19, 0x1c, 0x15, 0x02, 0x00, 0x00])
    }

    /// LogicalType.TIMESTAMP (field 8): isAdjustedToUTC is true, and the unit is MILLIS (field 1).
    @Test func `a timestamp is annotated as milliseconds in UTC`() {
        let bytes = CompactProtocolWriter.structure {
            ParquetType.timestamp.writeLogicalType(field: 10, to: &$0)
        }
        #expect(bytes == [0xac, 0x8c, 0x11, 0x1c, 0x1c, 0x00, 0x00, 0x00, 0x00, 0x00])
    }
}
