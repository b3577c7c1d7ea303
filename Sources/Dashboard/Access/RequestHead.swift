/// What a request shows before its body is read.
struct RequestHead {
    let method: String
    /// Path and query as sent.
    let target: String
    let host: String?
    var origin: String?
    /// The header `Sec-Fetch-Site`, which browsers send and pages cannot change.
    var site: String?
    var cookies: [String] = []

    var path: String { String(target.prefix { $0 != "?" }) }

    var query: String { String(target.dropFirst(path.count + 1)) }

    /// The value of a cookie; nil if there is none, or several.
    func cookie(_ name: String) -> String? {
        let pairs: [Substring] = cookies.flatMap { $0.split(separator: ";") }
        var values: [String] = []
        for pair in pairs {
            let trimmed = pair.drop { $0 == " " }
            if trimmed.hasPrefix(name + "=") { values.append(String(trimmed.dropFirst(name.count + 1))) }
        }
        return values.count == 1 ? values.first : nil
    }
}
