import Authority
import CommandLineText

/// An authority's register, in a file that only its owner can read.
protocol RegisterFile: JSONDocument {
    /// The scheme's name for people.
    static var schemeName: String { get }
}

extension RegisterFile {
    /// - Parameter mayBeAbsent: if true, an absent register counts as empty.
    init(path: String, mayBeAbsent: Bool = false) throws(Failure) {
        self = try Documents.document(
            path, isPrivate: true, mayBeAbsent: mayBeAbsent, called: "register of \(Self.schemeName)")
    }
}
