/// The refusal of a request: a general code (`group` is nil) or a code of the group.
public struct SMPRefusal: Error, Equatable, Sendable {
    public let group: UInt16?
    public let code: UInt16

    public init(group: UInt16?, code: UInt16) {
        self.group = group
        self.code = code
    }

    // These are the general codes, MGMT_ERR_*.
    public static let unknown = SMPRefusal(group: nil, code: 1)
    public static let outOfMemory = SMPRefusal(group: nil, code: 2)
    public static let invalidValue = SMPRefusal(group: nil, code: 3)
    public static let noEntry = SMPRefusal(group: nil, code: 5)
    public static let answerTooLarge = SMPRefusal(group: nil, code: 7)
    public static let notSupported = SMPRefusal(group: nil, code: 8)
    public static let accessDenied = SMPRefusal(group: nil, code: 11)
    public static let versionTooNew = SMPRefusal(group: nil, code: 13)

    // These are the codes of the OS group, OS_MGMT_ERR_*.
    public static let dateTimeFormat = SMPRefusal(group: 0, code: 2)
    public static let clockNotSet = SMPRefusal(group: 0, code: 4)
    /// The time is not credible (``WallClockTime/isCredible``); the answer also says so as text.
    public static let clockFailed = SMPRefusal(group: 0, code: 5)

    // These are the codes of the file group, FS_MGMT_ERR_*.
    public static let fileNameInvalid = SMPRefusal(group: 8, code: 2)
    public static let fileNotFound = SMPRefusal(group: 8, code: 3)
    public static let fileReadFailed = SMPRefusal(group: 8, code: 7)
    public static let fileOffsetPastEnd = SMPRefusal(group: 8, code: 12)
    public static let hashTypeNotFound = SMPRefusal(group: 8, code: 13)
    public static let fileSystemReadOnly = SMPRefusal(group: 8, code: 15)

    // These are the codes of Tabard's own group.
    public static let messageNobodyThere = SMPRefusal(group: 64, code: 1)
    public static let messageQueueFull = SMPRefusal(group: 64, code: 2)
    public static let messageUnknown = SMPRefusal(group: 64, code: 3)
    public static let messageLength = SMPRefusal(group: 64, code: 4)
    public static let notSigned = SMPRefusal(group: 64, code: 5)
    public static let nonceUnknown = SMPRefusal(group: 64, code: 6)
    public static let positionUnknown = SMPRefusal(group: 64, code: 7)
    public static let keysRefused = SMPRefusal(group: 64, code: 8)
    public static let notProvisioned = SMPRefusal(group: 64, code: 9)
    public static let clockOfAnotherStart = SMPRefusal(group: 64, code: 10)
    public static let notAcknowledged = SMPRefusal(group: 64, code: 11)
    /// The configuration was refused; the answer also contains the reason as text.
    public static let configurationRefused = SMPRefusal(group: 64, code: 12)
    /// The secrets were refused; the answer also contains the reason as text.
    public static let secretsRefused = SMPRefusal(group: 64, code: 13)
    /// The update was refused; the answer also contains the reason as text.
    public static let updateRefused = SMPRefusal(group: 64, code: 14)

    /// The only code for this refusal in version 1 of the protocol, translated as Zephyr's server does.
    public var generalCode: UInt16 {
        switch self {
        case .fileNotFound, .clockNotSet, .messageNobodyThere, .messageUnknown, .notProvisioned:
            SMPRefusal.noEntry.code
        case .notSigned, .nonceUnknown: SMPRefusal.accessDenied.code
        case .messageQueueFull: SMPRefusal.outOfMemory.code
        case .fileNameInvalid, .hashTypeNotFound, .dateTimeFormat, .fileOffsetPastEnd, .messageLength,
            .clockOfAnotherStart, .keysRefused, .positionUnknown, .configurationRefused,
            .secretsRefused, .updateRefused:
            SMPRefusal.invalidValue.code
        default: group == nil ? code : SMPRefusal.unknown.code
        }
    }
}

extension SMPRefusal {
    init(_ error: SyncStoreError) {
        self =
            switch error {
            case .fileNotFound: .fileNotFound
            case .pathInvalid: .fileNameInvalid
            case .readFailed: .fileReadFailed
            case .clockRefused: .clockFailed
            }
    }
}
