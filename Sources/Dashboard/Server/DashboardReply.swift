import Foundation

/// The answer to a request.
public struct DashboardReply: Sendable {
    public enum Body: Sendable {
        case data(Data)
        /// Sent piece by piece, under this name.
        case file(OpenedFile, name: String)
        /// The browser asks for another page.
        case redirect(String)
    }

    public let status: Int
    public let mediaType: String
    public let body: Body

    public init(_ text: String, status: Int = 200, mediaType: String = "text/html; charset=utf-8") {
        self.status = status
        self.mediaType = mediaType
        body = .data(Data(text.utf8))
    }

    public init(file: OpenedFile, name: String, mediaType: String) {
        status = 200
        self.mediaType = mediaType
        body = .file(file, name: name)
    }

    /// - Parameter location: the path of the page that shows the result of an action.
    public init(redirect location: String) {
        status = 303
        mediaType = "text/plain; charset=utf-8"
        body = .redirect(location)
    }
}
