import ArgumentParser
import Schemes

/// The schemes in which a board can be given an identity, by their names on the command line.
extension SchemeID: ExpressibleByArgument {
    static let provisionable: [SchemeID] = [
        .herald, .sonar, .covidTracer, .bleProximity, .exposureNotification,
    ]

    public init?(argument: String) {
        guard let scheme = Self.provisionable.first(where: { "\($0.name)" == argument }) else { return nil }
        self = scheme
    }

    public static var allValueStrings: [String] { provisionable.map { "\($0.name)" } }

    /// The place of the scheme's secret on a board; nil if the identities are random.
    var placeOnBoard: String? {
        switch self {
        case .herald: "at the path of herald.secret (default: /var/lib/tabard/herald.secret)"
        case .sonar, .covidTracer: "beside its key file, with .\(name) appended to that name"
        case .bleProximity, .exposureNotification, .robert, .dp3t, .tcn: nil
        }
    }
}
