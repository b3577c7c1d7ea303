/// What boards have sent a phone that they must not: the first of it.
struct PhoneViolations {
    private(set) var all: [String] = []

    private static let limit = 100

    mutating func note(_ what: String, by phone: Station) {
        guard all.count < Self.limit else { return }
        all.append("\(phone.world.now.microseconds) µs, \(phone.name): \(what)")
    }
}
