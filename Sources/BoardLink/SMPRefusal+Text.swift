import DeviceSync

extension SMPRefusal {
    /// The meaning of the refusal for people; nil for a code that no board of this version sends.
    public var meaning: String? {
        switch self {
        case .unknown: "the board failed to do it"
        case .outOfMemory: "the board has no memory left for it"
        case .invalidValue: "a value in the request is invalid"
        case .noEntry: "there is no such thing on the board"
        case .answerTooLarge: "the answer would be too large"
        case .notSupported: "the board does not know this request"
        case .accessDenied: "the board requires a signature with its operator key"
        case .versionTooNew: "the board's version of the protocol is older"
        case .dateTimeFormat: "the time is not written as the board expects"
        case .clockNotSet: "the board's clock is not set"
        case .clockFailed: "the time is not credible"
        case .fileNameInvalid: "the file's name is invalid"
        case .fileNotFound: "the board has no such file"
        case .fileReadFailed: "the board cannot read the file from its storage"
        case .fileOffsetPastEnd: "the file is shorter"
        case .hashTypeNotFound: "the board does not compute this hash"
        case .fileSystemReadOnly: "files on the board cannot be written"
        case .messageNobodyThere: "no device is near"
        case .messageQueueFull: "the message queue is full"
        case .messageUnknown: "the board has no such message"
        case .messageLength: "the message is too long or empty"
        case .notSigned: "the signature is not of the board's operator key"
        case .nonceUnknown: "the signature came too late"
        case .positionUnknown: "the position is not in the board's log"
        case .keysRefused: "the keys are invalid"
        case .notProvisioned: "the board has no keys yet"
        case .clockOfAnotherStart: "the board has restarted meanwhile"
        case .notAcknowledged: "some segments were not acknowledged"
        case .configurationRefused: "the configuration is invalid"
        case .secretsRefused: "the secrets are invalid"
        case .updateRefused: "the board does not take this update"
        default: nil
        }
    }

    /// "group 8, code 3".
    public var codeText: String { (group.map { "group \($0), " } ?? "") + "code \(code)" }
}
