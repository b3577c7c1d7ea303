import FlashSimulator

/// The positions of a formal test's devices, and the propagation between them. Both are fixed, because the
/// figures of two tests are comparable only if nothing but the devices differs.
package enum FormalRoom {
    package static let advertisingInterval = SimulatedDuration.milliseconds(250)
    package static let shortestMetres = 1.0
    package static let longestMetres = 8.0

    package static var propagation: Propagation {
        var propagation = Propagation()
        propagation.exponent = 2.2
        propagation.shadowingDB = 6
        propagation.bodyFadeDB = 10
        propagation.bodyFadePause = .seconds(60)
        return propagation
    }

    /// Draws positions within a circle whose diameter is the longest distance. No two are nearer than the
    /// shortest distance.
    /// - Parameter taken: Positions that are occupied already.
    package static func places(
        _ count: Int, beside taken: [Position] = [], _ random: inout RandomStream
    ) -> [Position] {
        var places: [Position] = []
        while places.count < count {
            let place = Position(coordinate(&random), coordinate(&random))
            let radius = longestMetres / 2
            guard place.squaredDistance(to: Position(0, 0)) <= radius * radius,
                (taken + places).allSatisfy({
                    place.squaredDistance(to: $0) >= shortestMetres * shortestMetres
                })
            else { continue }
            places.append(place)
        }
        return places
    }

    /// A coordinate in whole centimetres, so that arithmetic does not differ between machines.
    private static func coordinate(_ random: inout RandomStream) -> Double {
        Double(random.below(UInt64(longestMetres * 100) + 1)) / 100 - longestMetres / 2
    }
}
