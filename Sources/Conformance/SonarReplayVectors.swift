import Authority
import FixedMemory
import Schemes

/// `replay_checks`: a case's payload, observed at some time. All have the same tolerance: with no observation
/// near its limit, changing it could have no effect.
enum SonarReplayVectors {
    static func cases(_ root: VectorObject) throws(VectorError) -> [VectorCase] {
        let objects = try root.objects("replay_checks")
        let tolerance: UInt32 = try objects[0].integer("allowed_skew_s")
        return objects.map { VectorCase($0) { try check($0, root, tolerance) } }
    }

    private static func check(_ object: VectorObject, _ root: VectorObject, _ tolerance: UInt32) throws {
        try object.expect("allowed_skew_s", tolerance)
        let reference = try reference(object, root)
        let payload = try SonarVectors.payload(reference)
        let installation = try reference.text("installation_id")
        let secret: Bytes<32> = try reference.block("hmac_key_32")
        let observedAt: UInt32 = try object.integer("observed_at")
        try object.expect("tx_time_skew_s", Int64(observedAt) - Int64(payload.transmissionSeconds))
        var resolver = try SonarResolver(scalar: SonarVectors.serverScalar(root), entropy: .system)
        let validity = try resolver.open(payload.broadcast).validity
        try object.expect("inside_start_end", validity?.contains(UInt64(observedAt)) ?? false)
        do throws(SonarRefusal) {
            _ = try resolver.resolve(
                payload, observedAt: UInt64(observedAt), toleranceSeconds: UInt64(tolerance)
            ) { UUIDText.text($0) == installation ? secret : nil }
        } catch {
            switch error {
            case .staleTransmissionTime: try object.expect("expect", "refuse: stale transmission time")
            case .outsideValidity: try object.expect("expect", "refuse: outside the validity window")
            default: throw object.error("expect", "refused: \(error)")
            }
            return
        }
        try object.expect("expect", "accept")
    }

    /// The case with this name, or for `day-N` the one with index N.
    private static func reference(_ object: VectorObject, _ root: VectorObject) throws -> VectorObject {
        let name = try object.text("payload_ref")
        let cases = try SonarVectors.referenceCases(root)
        if let named = cases.first(where: { $0.informativeText("name") == name }) { return named }
        guard name.hasPrefix("day-"), let index = Int(name.dropFirst(4)), name == "day-\(index)",
            cases.indices.contains(index)
        else { throw object.error("payload_ref", "names a case that the vectors lack") }
        return cases[index]
    }
}
