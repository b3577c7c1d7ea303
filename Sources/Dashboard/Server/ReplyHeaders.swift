import HTTPTypes

/// The headers of every reply: a page loads nothing from elsewhere, runs no script but the dashboard's own,
/// cannot be framed, tells no other site its address, and is kept nowhere.
enum ReplyHeaders {
    static let policy =
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; "
        + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

    static let all: HTTPFields = {
        var fields = HTTPFields()
        for (name, value) in [
            ("Content-Security-Policy", policy), ("Referrer-Policy", "no-referrer"),
            ("X-Content-Type-Options", "nosniff"), ("Cache-Control", "no-store"),
            ("Cross-Origin-Resource-Policy", "same-origin"), ("Cross-Origin-Opener-Policy", "same-origin"),
        ] {
            guard let name = HTTPField.Name(name) else { continue }
            fields[name] = value
        }
        return fields
    }()
}
