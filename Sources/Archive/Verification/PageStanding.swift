/// The proof that a board wrote a page. docs/archive.md explains each standing.
public enum PageStanding: Int, Sendable, CaseIterable {
    /// A signature of the board covers the page, through the chain or through the seal of its epoch.
    case vouched = 1
    /// The page is sealed in an epoch that the board has signed, and lies behind the last signed end of the
    /// log.
    case beyondSignature = 2
    /// No signature covers the page, so anybody could have made it.
    case unsigned = 3
    /// The page is encrypted and no key at hand decrypts it.
    case locked = 4
    /// The board did not write the page, or not here.
    case forged = 5

    /// The standing's name for programs.
    public var name: String {
        switch self {
        case .vouched: "vouched"
        case .beyondSignature: "beyondSignature"
        case .unsigned: "unsigned"
        case .locked: "locked"
        case .forged: "forged"
        }
    }
}

/// Which readable pages are decoded into the derived tables.
public enum PageAdmission: Sendable {
    /// The standings of pages that a signature of the board covers.
    case vouched
    /// All except forged ones.
    case unverified

    func admits(_ standing: PageStanding?) -> Bool {
        switch standing {
        case .vouched, .locked: true
        case .beyondSignature, .unsigned: self == .unverified
        case .forged, nil: false
        }
    }
}
