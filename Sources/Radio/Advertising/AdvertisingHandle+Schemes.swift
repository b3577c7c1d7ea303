import HCI
import Schemes

extension AdvertisingHandle {
    /// The advertising set of a scheme, if the controller has enough sets. Schemes without a set of their own
    /// are advertised in the first.
    init(of scheme: SchemeID) {
        switch scheme {
        case .exposureNotification: self.init(rawValue: 1)
        case .sonar: self.init(rawValue: 2)
        case .bleProximity: self.init(rawValue: 3)
        case .herald, .covidTracer, .robert, .dp3t, .tcn: self = .first
        }
    }
}
