/// The first messages of boards to a phone that broke the protocol's rules.
struct PhoneViolations {
    private(set) var all: [String] = []

    private static let limit = 100

    mutating func record(_ what: String, by phone: Station) {
        guard all.count < Self.limit else { return }
        all.append("\(phone.world.now.microseconds) µs, \(phone.name): \(what)")
    }
}
