import TextFormats

extension CovidTracerReport {
    public static let method = "POST"
    public static let path = "/notify"

    /// What a phone sends.
    public func request(host: String) -> HTTPRequest {
        HTTPRequest(
            method: Self.method, path: Self.path,
            fields: [.init("Host", host), .init("Content-Type", WebForm.mediaType)],
            body: Array(WebForm.text(fields).utf8))
    }

    /// The form in a request as it came; nil for a request that is no report.
    public static func fields(of request: HTTPRequest) -> [CovidTracerFormField]? {
        guard request.method == method, request.path == path else { return nil }
        return WebForm.fields(request.body)
    }
}
