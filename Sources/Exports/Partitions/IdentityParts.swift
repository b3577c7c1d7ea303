import Archive
import FixedMemory
import Schemes

/// The payload of an identity in three parts: the identifier, and what stands before and after it.
///
/// The identifier is the part that published keys reveal; of Sonar, the part that names the peer. A payload
/// that no published key can reveal, such as that of a Herald venue, is a trailer alone.
struct IdentityParts: Equatable {
    let header: ArraySlice<UInt8>
    let identifier: ArraySlice<UInt8>?
    let trailer: ArraySlice<UInt8>

    init(_ identity: Identity) {
        let payload = identity.payload
        guard let place = Self.identifierPlace(identity) else {
            (header, identifier, trailer) = ([], nil, payload[...])
            return
        }
        header = payload[..<place.lowerBound]
        identifier = payload[place]
        trailer = payload[place.upperBound...]
    }

    /// The bucket of an identity: the CRC-32 of its identifier, or of a payload without one, modulo the
    /// number of buckets. Every zlib has this hash, so any program finds the bucket of an identifier.
    func bucket(of count: Int) -> Int {
        Int(CRC32.checksum(of: Array(identifier ?? trailer).span)) % max(1, count)
    }

    private static func identifierPlace(_ identity: Identity) -> Range<Int>? {
        let payload = identity.payload
        switch identity.scheme.id {
        case .herald:
            guard let identifier = (try? Herald.read(payload.span))?.array else { return nil }
            // Payloads of Herald for wearables have a length before the identifier.
            return [HeraldHeader.byteCount, HeraldHeader.byteCount + 2].map { $0..<$0 + identifier.count }
                .first { $0.upperBound <= payload.count && payload[$0].elementsEqual(identifier) }
        case .covidTracer: return payload.count == CovidTracerIdentifier.byteCount ? payload.indices : nil
        case .bleProximity:
            return payload.count >= BLEProximityUserID.byteCount ? 0..<BLEProximityUserID.byteCount : nil
        case .exposureNotification:
            return payload.count == ExposureNotificationIdentity.byteCount ? 0..<16 : nil
        case .sonar: return 0..<min(payload.count, SonarBroadcastValue.byteCount)
        case .robert, .dp3t, .tcn, nil: return payload.indices
        }
    }
}
