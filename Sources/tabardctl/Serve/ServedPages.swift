import Archive
import ArgumentParser
import CommandLineText
import Dashboard
import Foundation
import Reports
import Synchronization

/// The pages of the dashboard, each with the answer of one command.
struct ServedPages: Sendable {
    let archive: EvidenceOptions
    let dock: ServedDock?
    let token: AccessToken

    func answer(_ request: DashboardRequest) -> DashboardReply {
        switch request.path {
        case DashboardPage.stylePath:
            return DashboardReply(DashboardAssets.style, mediaType: "text/css; charset=utf-8")
        case DashboardPage.scriptPath:
            return DashboardReply(DashboardAssets.script, mediaType: "text/javascript; charset=utf-8")
        case "/icon.svg": return DashboardReply(DashboardAssets.icon, mediaType: "image/svg+xml")
        case BoardsPage.livePath:
            return dock.map { DashboardReply(BoardsPage.live($0)) } ?? noPage()
        case BoardsPage.fetchPath: return fetch(request)
        default: break
        }
        guard !request.isAction else { return noPage() }
        if let download = Download.named(request.path) { return answer(request, download) }
        guard let page = pages.first(where: { $0.place.path == request.path }) else { return noPage() }
        return answer(request, page)
    }

    /// In the order of the navigation.
    private var pages: [any ServedPage] {
        var pages: [any ServedPage] = [OverviewPage(dock: dock)]
        if let dock { pages.append(BoardsPage(dock: dock, token: token)) }
        return pages + [
            WhoMetPage(), ContactsPage(), PresencePage(), EncountersPage(), CoveragePage(), DownloadsPage(),
        ]
    }

    private func fetch(_ request: DashboardRequest) -> DashboardReply {
        guard request.isAction, let dock else { return noPage() }
        dock.requestFetch()
        return DashboardReply(redirect: BoardsPage.path)
    }

    // MARK: Pages

    private func answer(_ request: DashboardRequest, _ served: any ServedPage) -> DashboardReply {
        var page = DashboardPage(served.place)
        let (notes, failure) = listening { () throws(Failure) in
            try served.fill(&page, request.fields, archive)
        }
        page.notes = notes
        page.source = ["Archive: \(archive.path)", "Times are \(TimeText().zoneName)."]
        page.problem = failure?.message
        return reply(page, failure.map { status($0, request) } ?? 200)
    }

    private func noPage() -> DashboardReply {
        var page = DashboardPage(.init("", "No such page"))
        page.problem = "There is no such page; choose one above."
        return reply(page, 404)
    }

    private func reply(_ page: DashboardPage, _ status: Int) -> DashboardReply {
        DashboardReply(page.html(among: pages.map(\.place)), status: status)
    }

    /// Nobody made a mistake on a page without fields: the archive is empty, or somebody else is using it.
    private func status(_ failure: Failure, _ request: DashboardRequest) -> Int {
        switch failure.code {
        case .usage: 400
        case .noInput: request.fields.isEmpty ? 200 : 400
        case .tryAgain: 503
        default: 500
        }
    }

    // MARK: Downloads

    private func answer(_ request: DashboardRequest, _ download: Download) -> DashboardReply {
        var file: OpenedFile?
        let (_, failure) = listening { () throws(Failure) in
            file = try download.write(request.fields, archive)
        }
        if let file { return DashboardReply(file: file, name: download.name, mediaType: download.mediaType) }
        var page = DashboardPage(DownloadsPage().place)
        page.problem = failure?.message
        page.content = DownloadsPage.form(request.fields)
        return reply(page, failure.map { status($0, request) } ?? 500)
    }

    /// Does something, and takes what a command would print on standard error.
    private func listening(_ work: () throws(Failure) -> Void) -> (notes: [String], failure: Failure?) {
        let heard = Mutex<[String]>([])
        var failure: Failure?
        let listener = MessageListener { text in heard.withLock { $0.append(text) } }
        Console.$listener.withValue(listener) {
            do throws(Failure) { try work() } catch { failure = error }
        }
        return (heard.withLock(\.self).map(Self.withoutName), failure)
    }

    private static func withoutName(_ line: String) -> String {
        line.hasPrefix("tabardctl: ") ? String(line.dropFirst("tabardctl: ".count)) : line
    }
}
