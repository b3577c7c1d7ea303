import FixedMemory
import Schemes

/// The Herald payload of a beacon, made from its configuration: a venue, or a device with its own number.
public enum BeaconPayload {
    /// - Throws: `.tooLong` or `.notUTF8` for texts that a valid configuration cannot have.
    public static func encoded(
        _ herald: AgentConfiguration.Herald
    ) throws(HeraldPayloadError) -> FixedBuffer<512> {
        if let client = herald.clientIdentifier {
            return HeraldFixed(country: herald.country, state: herald.state, client: client).encoded()
        }
        return try venue(herald).encoded()
    }

    private static func venue(_ herald: AgentConfiguration.Herald) throws(HeraldPayloadError) -> HeraldVenue {
        var venue = HeraldVenue(country: herald.country, state: herald.state, location: herald.location ?? 0)
        venue.name = try HeraldText(herald.name.span)
        venue.area = try HeraldText(herald.area.span)
        venue.disambiguation = try HeraldText(herald.disambiguation.span)
        venue.url = try HeraldText(herald.url.span)
        return venue
    }
}
