import DeviceSync
import FixedMemory
import TestSupport
import Testing

@Suite struct CBORTests {
    @Test func `numbers are written in their shortest form`() throws {
        // These vectors are from RFC 8949, appendix A.
        let vectors: [(UInt64, String)] = [
            (0, "00"), (23, "17"), (24, "1818"), (100, "1864"), (1000, "1903e8"), (1_000_000, "1a000f4240"),
            (1_000_000_000_000, "1b000000e8d4a51000"), (.max, "1bffffffffffffffff"),
        ]
        for (value, hex) in vectors {
            var buffer = FixedBuffer<16>()
            try buffer.append(cborUnsigned: value)
            #expect(array(buffer.span).hex == hex)
        }
        var buffer = FixedBuffer<16>()
        try buffer.append(cborText: "IETF")
        try buffer.append(cborBytes: [1, 2, 3, 4].span)
        try buffer.append(cborArray: 2)
        try buffer.append(cborMap: 1)
        #expect(array(buffer.span).hex == "6449455446" + "4401020304" + "82" + "a1")
    }

    @Test func `a map finds values by key and skips the others`() throws {
        // The bytes are this map:
        // {"x": [1, {"off": 9}], 5: -1, "off": 1000, "name": "/a", "d": h'0102', "t": 1(0), "n": null,
        // "f": 1.5}
        let bytes = [UInt8](
            hex:
                "a8 6178 8201a1636f666609 05 20 636f6666 1903e8 646e616d65 622f61 6164 420102 6174 c100 616e f6 6166 f93e00"
        )
        let map = try CBORMap(bytes.span)
        #expect(try map.unsigned("off") == 1000)
        #expect(try map.unsigned("len") == nil)
        let isNameFound = try map.text("name")?.isEqual(to: "/a")
        #expect(isNameFound == true)
        #expect(try map.block("d", of: Bytes<2>.self).map { [$0[0], $0[1]] } == [1, 2])
    }

    @Test func `indefinite lengths are read`() throws {
        // The bytes are this map: {_ "a": [_ 1, [2], (_ "x", "yz")], "off": 7}
        let bytes = [UInt8](hex: "bf 6161 9f 01 8102 7f 6178 62797a ff ff 636f6666 07 ff")
        let map = try CBORMap(bytes.span)
        #expect(try map.unsigned("off") == 7)
        #expect(try map.unsigned("b") == nil)
    }

    @Test func `the first of two values with the same key counts`() throws {
        let bytes = [UInt8](hex: "a2 6161 01 6161 02")
        #expect(try CBORMap(bytes.span).unsigned("a") == 1)
    }

    @Test func `a value of another type is refused`() throws {
        let bytes = [UInt8](hex: "a2 6161 20 6162 4101")
        let map = try CBORMap(bytes.span)
        #expect(throws: MalformedCBOR.self) { try map.unsigned("a") }
        #expect(throws: MalformedCBOR.self) { try map.unsigned("b") }
        #expect(throws: MalformedCBOR.self) { _ = try map.text("b") == nil }
        #expect(throws: MalformedCBOR.self) { _ = try map.map("b") == nil }
        #expect(throws: MalformedCBOR.self) { _ = try map.block("b", of: Bytes<2>.self) }
    }

    @Test(arguments: [
        "", "00", "80", "6161", "f6", "ff",  // not a map
        "a1", "a16161", "a161", "a1616118", "a16161 1b00", "a16161 4201", "a16161 6201",  // truncated
        "bf", "bf6161", "bf616101", "bf6161ff",  // no break, or a break in place of a value
        "a16161 1c", "a16161 1d", "a16161 1e", "a16161 1f", "a16161 3f", "a16161 df",  // reserved
        "a16161 f81f", "a16161 f800",  // a simple value in two bytes that must have one
        "a16161 ff", "a1ff", "a16161 8201ff",  // an unexpected break
        "a16161 7f4101ff", "a16161 5f6161ff", "a16161 7f7f6161ffff", "a16161 7f01ff",  // invalid chunks
        "a16161 5bffffffffffffffff", "a16161 7bffffffffffffffff", "a16161 9bffffffffffffffff",  // huge
        "bbffffffffffffffff", "ba00ffffff", "a16161 5a7fffffff",
        "a16161 8181818181818181818101",  // nested too deeply
        "a16161 c1c1c1c1c1c1c1c1c1c101",
    ]) func `malformed maps are refused`(hex: String) {
        let bytes = [UInt8](hex: hex)
        #expect(throws: MalformedCBOR.self) { _ = try CBORMap(bytes.span).unsigned("zz") }
    }

    @Test func `nesting is read up to its limit`() throws {
        // The map and seven nested arrays are eight levels, the limit.
        let bytes = [UInt8](hex: "a2 6161 8181818181818101 636f6666 05")
        #expect(try CBORMap(bytes.span).unsigned("off") == 5)
    }

    @Test func `no bytes are an empty map where that is allowed`() throws {
        let map = try CBORMap(orEmpty: Span())
        #expect(try map.unsigned("a") == nil)
    }

    @Test func `random and mutated maps never trap`() throws {
        let seed: UInt64 = 4
        var generator = SeededGenerator(seed: seed)
        let sound = [UInt8](
            hex:
                "bf 6161 9f 01 8102 7f 6178 62797a ff ff 636f6666 07 646e616d65 622f61 63657272 a2 6567726f7570 08 627263 03 ff"
        )
        for round in 0..<20_000 {
            var bytes =
                round.isMultiple(of: 2)
                ? sound : [0xBF] + generator.bytes(Int.random(in: 0..<40, using: &generator))
            for _ in 0..<2 {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(
                    in: .min ... .max, using: &generator)
            }
            do {
                let map = try CBORMap(bytes.span)
                _ = try map.unsigned("off")
                _ = try map.text("name") == nil
                _ = try map.map("err")?.unsigned("rc")
            } catch {}
        }
    }
}
