import TextFormats

extension CovidTracerReport {
    public static let method = "POST"
    public static let path = "/notify"

    /// The request that a phone sends.
    public func request(host: String) -> HTTPRequest {
        HTTPRequest(
            method: Self.method, path: Self.path,
            fields: [.init("Host", host), .init("Content-Type", WebForm.mediaType)],
            body: Array(WebForm.text(fields).utf8))
    }

    /// The form in a request; nil if the request is not a report.
    public static func fields(of request: HTTPRequest) -> [CovidTracerFormField]? {
        guard request.method == method, request.path == path else { return nil }
        return WebForm.fields(request.body)
    }
}
