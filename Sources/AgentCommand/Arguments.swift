import FixedMemory

/// The words of the command line, one after the other.
struct Arguments {
    private let words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
    private let count: Int
    private var position = 1

    init(count: Int, _ words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) {
        self.count = count
        self.words = words
    }

    mutating func next() -> Argument? {
        guard position < count, let word = words[position] else { return nil }
        position += 1
        return Argument(word)
    }
}

extension Arguments {
    /// Whether the next word asks for help; it is not taken.
    var asksForHelp: Bool {
        var rest = self
        guard let word = rest.next() else { return false }
        return word == "--help" || word == "-h"
    }
}

/// One word, where the system keeps it: good for as long as the process runs.
struct Argument {
    let pointer: UnsafePointer<CChar>
    let count: Int

    init(_ pointer: UnsafeMutablePointer<CChar>) {
        var count = 0
        while pointer[count] != 0 { count += 1 }
        self.pointer = UnsafePointer(pointer)
        self.count = count
    }

    var span: Span<UInt8> {
        @_lifetime(immortal) get {
            let bytes = UnsafeRawPointer(pointer).assumingMemoryBound(to: UInt8.self)
            return _overrideLifetime(Span(_unsafeStart: bytes, count: count), copying: ())
        }
    }

    static func == (argument: Argument, text: StaticString) -> Bool { argument.span.isEqual(to: text) }
}
