import Archive

/// The pages that lists, matches, exports and reports leave out, and why.
public enum LeftOutText {
    /// "12 pages that no signature covers, 1 forged page"; nil if none are left out.
    public static func text(_ pages: [LeftOutPages]) -> String? {
        guard !pages.isEmpty else { return nil }
        return pages.map { part in
            let count = "\(part.pageCount)"
            let noun = part.pageCount == 1 ? "page" : "pages"
            return switch part.standing {
            case .beyondSignature: "\(count) \(noun) behind the last signature"
            case .forged: "\(count) forged \(noun)"
            case .vouched, .unsigned, .locked: "\(count) \(noun) that no signature covers"
            }
        }.joined(separator: ", ")
    }

    /// The remedy, with a leading semicolon; empty if there is none.
    public static func remedy(_ pages: [LeftOutPages]) -> String {
        pages.contains { $0.standing != .forged }
            ? "; --include-unverified shows \(pages.contains { $0.standing == .forged } ? "all but forged ones" : "them")"
            : "; `tabardctl verify` has the places"
    }
}
