import Compression

/// Passes bytes on, unpacked if they are packed.
struct UnpackingStage {
    enum Packing {
        case stored
        case deflated
        /// gzip if the bytes begin with its mark.
        case detected
    }

    private enum Mode {
        case undecided
        case copying
        case inflating(Inflater)
    }

    private var mode: Mode
    /// Bytes that wait until the packing is known, or that are passed on as they are.
    private var waiting: [UInt8] = []
    private(set) var isInputComplete = false

    init(_ packing: Packing) throws(Inflater.Damage) {
        mode =
            switch packing {
            case .stored: .copying
            case .deflated: .inflating(try Inflater(.none))
            case .detected: .undecided
            }
    }

    mutating func append(_ bytes: ArraySlice<UInt8>) {
        if case .inflating(let inflater) = mode { inflater.append(bytes) } else { waiting += bytes }
    }

    mutating func completeInput() { isInputComplete = true }

    /// Whether the input has ended within packed data.
    var isCut: Bool {
        guard isInputComplete, case .inflating(let inflater) = mode else { return false }
        return !inflater.hasEnded
    }

    /// - Returns: nil if more input is needed, or everything was returned.
    mutating func next() throws(Inflater.Damage) -> [UInt8]? {
        if case .undecided = mode {
            guard isInputComplete || waiting.count >= Inflater.gzipMagic.count else { return nil }
            if waiting.starts(with: Inflater.gzipMagic) {
                let inflater = try Inflater(.gzip)
                inflater.append(waiting[...])
                waiting = []
                mode = .inflating(inflater)
            } else {
                mode = .copying
            }
        }
        if case .inflating(let inflater) = mode { return try inflater.next() }
        guard !waiting.isEmpty else { return nil }
        defer { waiting = [] }
        return waiting
    }
}
