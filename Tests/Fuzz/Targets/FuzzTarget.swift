/// The fuzz targets. Each target passes arbitrary bytes to a parser or a state machine and checks the
/// results. The raw value is the target's name on the command line and its corpus's folder.
public enum FuzzTarget: String, CaseIterable, Sendable {
    case adverts
    case agent
    case attributeClient = "attribute-client"
    case attributeServer = "attribute-server"
    case btsnoop
    case captures
    case cbor
    case configuration
    case contacts
    case events
    case exports
    case keyRecords = "key-records"
    case l2cap
    case logMount = "log-mount"
    case logPage = "log-page"
    case payloads
    case replay
    case schemes
    case sealedPages = "sealed-pages"
    case signals
    case smp
    case updates
    case zips

    /// Throws if a property does not hold. A trap ends the process.
    public func run(_ input: [UInt8]) throws(FuzzFinding) {
        switch self {
        case .adverts: try AdvertTarget.run(input)
        case .agent: try AgentTarget.run(input)
        case .attributeClient: try AttributeClientTarget.run(input)
        case .attributeServer: try AttributeServerTarget.run(input)
        case .btsnoop: try BtsnoopTarget.run(input)
        case .captures: try CaptureTarget.run(input)
        case .cbor: try CBORTarget.run(input)
        case .configuration: try ConfigurationTarget.run(input)
        case .contacts: try ContactsTarget.run(input)
        case .events: try EventTarget.run(input)
        case .exports: try ExportTarget.run(input)
        case .keyRecords: try KeyRecordTarget.run(input)
        case .l2cap: try L2CAPTarget.run(input)
        case .logMount: try LogMountTarget.run(input)
        case .logPage: try LogPageTarget.run(input)
        case .payloads: try PayloadTarget.run(input)
        case .replay: try ReplayTarget.run(input)
        case .schemes: try SchemeTarget.run(input)
        case .sealedPages: try SealedPageTarget.run(input)
        case .signals: try SignalTarget.run(input)
        case .smp: try SMPTarget.run(input)
        case .updates: try UpdateTarget.run(input)
        case .zips: try ZipTarget.run(input)
        }
    }
}

/// A property that an input violated.
public struct FuzzFinding: Error, CustomStringConvertible {
    public let description: String
}

/// Throws a finding unless `holds` is true.
func require(_ holds: Bool, _ property: @autoclosure () -> String) throws(FuzzFinding) {
    guard holds else { throw FuzzFinding(description: "does not hold: \(property())") }
}
