import Authority
import Schemes

/// `ble_proximity`: identities as numbers and as bytes.
enum BLEProximityVectors {
    static func cases(_ root: VectorObject) throws(VectorError) -> [VectorCase] {
        let section = try root.object("ble_proximity")
        let cases = try section.objects("cases").map { VectorCase($0, check) }
        try section.finish()
        return cases
    }

    private static func check(_ object: VectorObject) throws {
        let text = try object.text("user_id_u64")
        guard let number = UInt64(text), String(number) == text else {
            throw object.error("user_id_u64", "not a number of 64 bits")
        }
        let identity = BLEProximityUserID(number)
        try object.expect("wire_8", identity.encoded)
        let wire = identity.encoded.array
        let longer = wire + [0xff]
        let shorter = Array(wire.dropLast())
        guard try BLEProximityUserID(parsing: wire.span) == identity,
            try BLEProximityUserID(parsing: longer.span) == identity
        else { throw object.error("wire_8", "is read as another number") }
        guard (try? BLEProximityUserID(parsing: shorter.span)) == nil else {
            throw object.error("wire_8", "is read although a byte is missing")
        }
    }
}
