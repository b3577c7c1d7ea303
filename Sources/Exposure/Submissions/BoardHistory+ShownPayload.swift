import Archive
import FixedMemory
import Schemes

extension BoardHistory {
    /// The Simple payload of Herald that the board showed nearest to this time; nil if its log has none.
    public func simplePayload(nearest time: WallClockTime) -> HeraldSimple? {
        var nearest: (distance: Interval, payload: HeraldSimple)?
        for (boot, placement) in zip(boots, placements()) {
            for own in boot.ownIdentities {
                guard let identity = own.identity, identity.scheme.id == .herald,
                    let shown = placement.wallClock(at: own.instant),
                    let payload = try? HeraldSimple(parsing: identity.payload.span)
                else { continue }
                let distance = max(shown.interval(since: time), time.interval(since: shown))
                if distance < nearest?.distance ?? .milliseconds(.max) { nearest = (distance, payload) }
            }
        }
        return nearest?.payload
    }
}
