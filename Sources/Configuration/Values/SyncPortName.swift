import FixedMemory

/// The port through which clients fetch logs, as `sync.port` and `--sync` name it.
public enum SyncPortName: BitwiseCopyable, Equatable, Sendable {
    /// The empty name: no port.
    case off
    /// A path: the serial device with that path.
    case device(path: FixedText<128>)
    /// The form `pty:LINK`: a new pseudo-terminal; the agent makes LINK point to it.
    case pseudoTerminal(link: FixedText<128>)

    public init(parsing text: Span<UInt8>) throws(SyncPortNameError) {
        if text.isEmpty {
            self = .off
        } else if let link = text.dropping(prefix: "pty:") {
            guard !link.isEmpty else { throw .linkMissing }
            guard let link = FixedText<128>(link) else { throw .pathTooLong }
            self = .pseudoTerminal(link: link)
        } else {
            // A bare word here is nearly always the name of a transport or driver, not a file in the working
            // directory.
            guard text.firstOffset(of: UInt8(ascii: "/")) != nil else { throw .notAPath }
            guard let path = FixedText<128>(text) else { throw .pathTooLong }
            self = .device(path: path)
        }
    }

    public func write(to sink: inout some ByteSink & ~Copyable) throws(CapacityError) {
        switch self {
        case .off: break
        case .device(let path): try sink.append(path.span)
        case .pseudoTerminal(let link):
            try sink.append("pty:")
            try sink.append(link.span)
        }
    }
}

/// An error in the name of a sync port.
public enum SyncPortNameError: Error, BitwiseCopyable, Equatable {
    case linkMissing
    case notAPath
    case pathTooLong

    var explanation: StaticString {
        switch self {
        case .linkMissing: "no path of the link after pty:"
        case .notAPath: "not the path of a device or pty:LINK"
        case .pathTooLong: "the path is longer than 127 bytes"
        }
    }
}
