import FlashSimulator

/// Where the devices of a formal test lie, and the air between them. Both are fixed: figures of one test mean something
/// beside those of another only if nothing but the devices differs.
enum FormalRoom {
    static let advertisingInterval = SimulatedDuration.milliseconds(250)
    static let shortestMetres = 1.0
    static let longestMetres = 8.0

    static var propagation: Propagation {
        var propagation = Propagation()
        propagation.exponent = 2.2
        propagation.shadowingDB = 6
        propagation.bodyFadeDB = 10
        propagation.bodyFadePause = .seconds(60)
        return propagation
    }

    /// Within a circle of the longest distance, nobody nearer to another than the shortest.
    /// - Parameter taken: where somebody is already.
    static func places(
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

    /// For whole centimetres, so that no arithmetic differs between machines.
    private static func coordinate(_ random: inout RandomStream) -> Double {
        Double(random.below(UInt64(longestMetres * 100) + 1)) / 100 - longestMetres / 2
    }
}
