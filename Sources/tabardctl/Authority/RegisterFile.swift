import Authority
import CommandLineText

/// An authority's register, in a file of its owner's alone.
protocol RegisterFile: JSONDocument {
    /// As people call it.
    static var schemeName: String { get }
}

extension RegisterFile {
    /// - Parameter mayBeAbsent: a register that is not there yet has nothing in it.
    init(path: String, mayBeAbsent: Bool = false) throws(Failure) {
        self = try Documents.document(
            path, isPrivate: true, mayBeAbsent: mayBeAbsent, called: "register of \(Self.schemeName)")
    }
}
