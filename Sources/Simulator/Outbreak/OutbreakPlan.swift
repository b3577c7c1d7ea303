import FlashSimulator

/// The meetings during an outbreak, drawn from the seed, with some of every kind of acquaintance.
public struct OutbreakPlan: Sendable {
    /// A wearer's relation to the patient.
    public enum Acquaintance: String, CaseIterable, Sendable {
        /// Meets the patient on infectious days, and on others.
        case met
        /// Met the patient only before the infectious days.
        case metBefore
        /// Meets people who met the patient, never the patient.
        case metAtSecondHand
        /// Meets only people who do not meet the patient on infectious days.
        case stranger
    }

    public struct Meeting: Equatable, Sendable {
        /// The wearers' numbers, ascending; the patient's is 0.
        public let wearers: [Int]
        public let start: SimulatedTime
        public let duration: SimulatedDuration

        public var end: SimulatedTime { start + duration }
        public var isWithPatient: Bool { wearers.first == 0 }
    }

    /// The days from the beginning to the diagnosis, which comes on the next morning.
    public let days: UInt64
    /// The number of reported days, which are the last ones.
    public let infectiousDays: UInt64
    /// The relation of wearer 1 and the following wearers to the patient.
    public let acquaintances: [Acquaintance]
    /// The meetings in order of time. No wearer is at two meetings at a time.
    public let meetings: [Meeting]

    private static let openingHour: UInt64 = 8
    private static let slotsPerDay: UInt64 = 12
    private static let shortestMinutes: UInt64 = 5
    private static let longestMinutes: UInt64 = 45

    /// - Parameters:
    ///   - wearerCount: The number of wearers including the patient; at least five.
    ///   - days: The number of days; more than `infectiousDays`.
    public init(wearerCount: Int, days: UInt64, infectiousDays: UInt64, random: inout RandomStream) {
        precondition(wearerCount > Acquaintance.allCases.count && days > infectiousDays)
        self.days = days
        self.infectiousDays = infectiousDays
        acquaintances = (1..<wearerCount).map {
            Acquaintance.allCases[($0 - 1) % Acquaintance.allCases.count]
        }
        var meetings: [Meeting] = []
        for day in 0..<days {
            let isInfectious = day + infectiousDays >= days
            for hour in 0..<Self.slotsPerDay {
                guard let wearers = Self.draw(acquaintances, isInfectious, &random) else { continue }
                // A meeting ends within its hour.
                let minutes =
                    Self.shortestMinutes + random.below(Self.longestMinutes - Self.shortestMinutes + 1)
                let start =
                    SimulatedTime.zero + .days(day) + .hours(Self.openingHour + hour)
                    + .seconds(random.below((60 - minutes) * 60))
                meetings.append(Meeting(wearers: wearers, start: start, duration: .minutes(minutes)))
            }
        }
        self.meetings = meetings
    }

    /// Draws the wearers who meet in an hour; in half of the hours there is none.
    private static func draw(
        _ acquaintances: [Acquaintance], _ isInfectious: Bool, _ random: inout RandomStream
    ) -> [Int]? {
        func someone(_ admits: (Acquaintance) -> Bool) -> Int? {
            let numbers = acquaintances.indices.filter { admits(acquaintances[$0]) }.map { $0 + 1 }
            return numbers.isEmpty ? nil : numbers[Int(random.below(UInt64(numbers.count)))]
        }
        let pair: [Int?]
        switch random.below(8) {
        case 0: pair = [0, someone { $0 == .met }]
        case 1: pair = [0, someone { isInfectious ? $0 == .met : $0 == .metBefore }]
        case 2: pair = [someone { $0 == .met }, someone { $0 == .metAtSecondHand }]
        case 3: pair = [someone { $0 == .stranger }, someone { $0 == .metAtSecondHand || $0 == .metBefore }]
        default: return nil
        }
        let numbers = Set(pair.compactMap { $0 }).sorted()
        return numbers.count == 2 ? numbers : nil
    }

    /// The days that the patient reports, counted from the beginning of the world.
    public var reportedDays: Range<UInt64> { days - infectiousDays..<days }

    /// The meetings of wearer `number` with the patient from `day` on, counted from the beginning of the
    /// world.
    public func meetings(withPatientOf number: Int, fromDay day: UInt64) -> [Meeting] {
        let start = SimulatedTime.zero + .days(day)
        return meetings.filter { $0.isWithPatient && $0.wearers.contains(number) && $0.start >= start }
    }

    /// The positions of wearer `number`, who is at home between meetings. Homes and meeting places are all
    /// out of each other's radio range.
    func route(of number: Int) -> Route {
        let home = Position(Double(number) * Self.distanceMetres, 0)
        var stops = [(SimulatedTime.zero, home)]
        for (index, meeting) in meetings.enumerated() where meeting.wearers.contains(number) {
            let place = Position(
                Double(index) * Self.distanceMetres + (meeting.wearers.first == number ? 0 : Self.nearMetres),
                Self.distanceMetres)
            stops += [
                (meeting.start, home), (meeting.start, place), (meeting.end, place), (meeting.end, home),
            ]
        }
        return Route(stops) ?? Route(standingAt: home)
    }

    private static let distanceMetres = 10_000.0
    private static let nearMetres = 1.5
}
