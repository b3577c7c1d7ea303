import ArgumentParser

/// A scheme in which a board may be somebody.
enum ProvisionedScheme: String, CaseIterable, ExpressibleByArgument {
    case herald
    case sonar
    case covidTracer = "covid-tracer"
    case bleProximity = "ble-proximity"
    case exposureNotification = "exposure-notification"

    /// What sets whether the board is somebody in it; nil of Herald's, which is always on.
    var configurationKey: String? {
        self == .herald ? nil : "schemes.\(rawValue.replacing("-", with: "_"))"
    }

    /// Where a board keeps what its identities follow from; nil where they are random.
    var placeOnBoard: String? {
        switch self {
        case .herald: "at the path of herald.secret (default: /var/lib/tabard/herald.secret)"
        case .sonar, .covidTracer: "beside its key file, with .\(rawValue) appended to that name"
        case .bleProximity, .exposureNotification: nil
        }
    }
}
