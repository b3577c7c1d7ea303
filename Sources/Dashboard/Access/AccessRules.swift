/// Who may read a dashboard: whoever has the address with the token, from a browser that reached it by that
/// address.
///
/// The name in `Host` is checked, because a page elsewhere can give a name of its own to this computer's
/// address and would then be of the same origin.
public struct AccessRules: Sendable {
    enum Decision: Equatable {
        case admit
        /// The token is right: the browser keeps it in a cookie and goes on without it in the address.
        case keepToken(location: String)
        case refuse(status: Int, sentence: String)
    }

    private static let tokenField = "token"

    private let token: AccessToken
    private let hosts: Set<String>
    private let cookieName: String

    /// - Parameters:
    ///   - address: the address that the server is bound to.
    ///   - port: its port. Cookies do not know ports, so each port has its own one.
    public init(token: AccessToken, address: String, port: Int) {
        self.token = token
        cookieName = "tabard-\(port)"
        let names = Self.isLoopback(address) ? [address, "localhost", "127.0.0.1", "::1"] : [address]
        let bracketed = names.map { $0.contains(":") ? "[\($0)]" : $0.lowercased() }
        hosts = Set(bracketed.flatMap { port == 80 ? [$0, "\($0):80"] : ["\($0):\(port)"] })
    }

    public static func isLoopback(_ address: String) -> Bool {
        address.hasPrefix("127.") || address == "::1" || address == "localhost"
    }

    /// The header that keeps the token for this browser session. Scripts cannot read it, and no other site's
    /// page makes a browser send it.
    var cookie: String { "\(cookieName)=\(token.text); HttpOnly; SameSite=Strict; Path=/" }

    func judge(_ head: RequestHead) -> Decision {
        guard let host = head.host?.lowercased(), hosts.contains(host) else {
            return .refuse(
                status: 421, sentence: "This dashboard answers only to the address that it printed.")
        }
        guard ["GET", "HEAD", "POST"].contains(head.method) else {
            return .refuse(status: 405, sentence: "The dashboard takes GET, HEAD and POST only.")
        }
        guard Self.isPlain(head.path) else {
            return .refuse(status: 404, sentence: "There is no such page.")
        }
        if head.method != "POST", let given = try? FieldList(head.query)[Self.tokenField] {
            guard token.matches(given) else { return Self.noToken }
            return .keepToken(location: Self.location(head))
        }
        guard let kept = head.cookie(cookieName), token.matches(kept) else { return Self.noToken }
        if head.method == "POST", !isOwn(head, host) {
            return .refuse(status: 403, sentence: "Another site's page cannot use this dashboard.")
        }
        return .admit
    }

    /// Whether a form was sent by a page of this dashboard.
    func isProven(_ fields: FieldList) -> Bool {
        AccessToken.areEqual(token.formProof, fields[DashboardForm.proofField] ?? "")
    }

    private static let noToken = Decision.refuse(
        status: 403,
        sentence: "Open the address that `tabardctl serve` printed: its token is missing or wrong here.")

    /// Our own paths have nothing but these characters, so that nothing else has to be decoded, and a
    /// redirect cannot lead elsewhere.
    private static func isPlain(_ path: String) -> Bool {
        guard path.hasPrefix("/"), path.utf8.count <= 100, !path.contains("//"), !path.contains("..") else {
            return false
        }
        return path.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
            case UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "."): true
            default: false
            }
        }
    }

    /// The target without the token.
    private static func location(_ head: RequestHead) -> String {
        let rest = head.query.split(separator: "&").filter { !$0.hasPrefix(tokenField + "=") }
        return head.path + (rest.isEmpty ? "" : "?" + rest.joined(separator: "&"))
    }

    /// Browsers send "null" as origin, because pages of this dashboard tell nobody where they came from.
    private func isOwn(_ head: RequestHead, _ host: String) -> Bool {
        if let site = head.site, site != "same-origin" { return false }
        guard let origin = head.origin, origin != "null" else { return true }
        return origin.lowercased() == "http://\(host)"
    }
}
