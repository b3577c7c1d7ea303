import Reports

/// The layout of all pages: where one is, what the page says, and in which zone its times are.
public struct DashboardPage: Sendable {
    /// A page in the navigation.
    public struct Place: Sendable {
        public let path: String
        public let title: String

        public init(_ path: String, _ title: String) {
            self.path = path
            self.title = title
        }
    }

    public static let stylePath = "/dashboard.css"
    public static let scriptPath = "/dashboard.js"

    public let title: String
    public let path: String
    /// Below the title, in a few words.
    public var subtitle = ""
    /// What a reader must know before the answer, such as pages that are left out.
    public var notes: [String] = []
    /// Why there is no answer.
    public var problem: String?
    /// Markup.
    public var content = ""
    /// Lines at the end, such as the archive's path and the zone of times.
    public var source: [String] = []
    /// Whether the page brings itself up to date.
    public var isLive = false

    public init(_ place: Place) {
        title = place.title
        path = place.path
    }

    public func html(among places: [Place]) -> String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>\(Markup.escaped(title)) - Tabard</title>
        <link rel="icon" href="/icon.svg" type="image/svg+xml">
        <link rel="stylesheet" href="\(Self.stylePath)">
        \(isLive ? "<script src=\"\(Self.scriptPath)\" defer></script>\n" : "")</head>
        <body>
        <a class="skip" href="#answer">Skip to the content</a>
        <header class="top">
        <p class="mark">\(ReportStyle.mark)<span>Tabard</span></p>
        <nav aria-label="Pages of the dashboard"><ul>\(places.map(link).joined())</ul></nav>
        </header>
        <main id="answer" tabindex="-1">
        <h1>\(Markup.escaped(title))</h1>
        \(subtitle.isEmpty ? "" : "<p class=\"subtitle\">\(Markup.escaped(subtitle))</p>\n")\
        \(problemMarkup)\(noteMarkup)\(content)</main>
        <footer>
        \(source.map { "<p>\(Markup.escaped($0))</p>" }.joined(separator: "\n"))
        </footer>
        </body>
        </html>

        """
    }

    private func link(_ place: Place) -> String {
        let current = place.path == path ? " aria-current=\"page\"" : ""
        return "<li><a href=\"\(place.path)\"\(current)>\(Markup.escaped(place.title))</a></li>"
    }

    private var problemMarkup: String {
        guard let problem else { return "" }
        return "<p class=\"problem\" role=\"alert\">\(Self.sentence(problem))</p>\n"
    }

    private var noteMarkup: String {
        guard !notes.isEmpty else { return "" }
        let items = notes.map { "<li>\(Self.sentence($0))</li>" }.joined(separator: "\n")
        return "<ul class=\"warnings\">\n\(items)\n</ul>\n"
    }

    /// Text with commands between backquotes.
    static func sentence(_ text: String) -> String {
        let parts = text.split(separator: "`", omittingEmptySubsequences: false).map {
            Markup.escaped(String($0))
        }
        guard parts.count > 1, !parts.count.isMultiple(of: 2) else { return Markup.escaped(text) }
        return parts.enumerated().map { $0.isMultiple(of: 2) ? $1 : "<code>\($1)</code>" }.joined()
    }
}
