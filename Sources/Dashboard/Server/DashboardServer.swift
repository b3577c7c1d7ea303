import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import Synchronization

/// Serves pages over plain HTTP to those who have the token.
public struct DashboardServer: Sendable {
    public typealias Answer = @Sendable (DashboardRequest) -> DashboardReply

    private static let maximumConnectionCount = 64
    private static let threadCount = 2
    private static let idleTime = TimeAmount.seconds(60)
    private static let maximumHeaderByteCount = 16_384
    private static let pieceByteCount = 1 << 16

    private let address: String
    private let port: Int
    private let token: AccessToken
    private let answer: Answer
    private let work = WorkQueue(threadCount: threadCount)

    /// - Parameters:
    ///   - port: 0 for any that is free.
    ///   - answer: makes a reply; called on a thread that may wait.
    public init(address: String, port: Int, token: AccessToken, answer: @escaping Answer) {
        self.address = address
        self.port = port
        self.token = token
        self.answer = answer
    }

    /// Serves until the caller wants it to stop.
    ///
    /// - Parameters:
    ///   - started: called with the port.
    ///   - step: called about ten times a second; says whether to go on.
    public func run(started: (Int) -> Void, step: () -> Bool) throws(DashboardError) {
        let state = ServerState()
        let task = Task.detached { [self] in
            do {
                try await application(state).run()
                state.end(nil)
            } catch {
                state.end(Self.reason(error))
            }
        }
        var isAnnounced = false
        while true {
            if let outcome = state.outcome {
                guard let error = outcome.error else { return }
                throw error
            }
            if !isAnnounced, let port = state.port {
                isAnnounced = true
                started(port)
            }
            guard step() else { break }
            usleep(100_000)
        }
        task.cancel()
        // Replies that were begun may end.
        for _ in 0..<20 where state.outcome == nil { usleep(50_000) }
    }

    private func application(
        _ state: ServerState
    ) -> Application<CallbackResponder<BasicRequestContext>> {
        var logger = Logger(label: "dashboard") { _ in SwiftLogNoOpLogHandler() }
        logger.logLevel = .critical
        let responder = CallbackResponder<BasicRequestContext> { [self] request, _ in
            await respond(to: request, AccessRules(token: token, address: address, port: state.port ?? port))
        }
        return Application(
            responder: responder,
            server: .http1(
                configuration: .init(
                    idleTimeout: Self.idleTime,
                    httpDecoderConfiguration: .init(
                        maxHeaderFieldSize: Self.maximumHeaderByteCount,
                        maxHeaderListSize: Self.maximumHeaderByteCount, maxHeaderFieldCount: 64))),
            configuration: ApplicationConfiguration(
                address: .hostname(address, port: port),
                availableConnectionsDelegate: MaximumAvailableConnections(
                    Self.maximumConnectionCount, logger: logger)),
            onServerRunning: { channel in state.start(channel.localAddress?.port) },
            logger: logger)
    }

    private static func reason(_ error: any Error) -> DashboardError {
        guard let error = error as? IOError else { return .failed("\(error)") }
        return error.errnoCode == EADDRINUSE ? .portInUse : .cannotBind(code: error.errnoCode)
    }

    // MARK: Requests

    private func respond(to request: Request, _ rules: AccessRules) async -> Response {
        let head = RequestHead(request)
        switch rules.judge(head) {
        case .refuse(let status, let sentence):
            return Self.response(DashboardReply(sentence + "\n", status: status, mediaType: Self.plainText))
        case .keepToken(let location):
            var response = Self.response(DashboardReply(redirect: location))
            response.headers[.setCookie] = rules.cookie
            return response
        case .admit: break
        }
        let isAction = head.method == "POST"
        let fields: FieldList
        do throws(FieldList.Problem) {
            fields = try FieldList(isAction ? await Self.form(request) : head.query)
        } catch {
            return Self.response(
                DashboardReply(
                    "The fields of this address cannot be read; go back and fill them in again.\n",
                    status: error == .tooLong ? 414 : 400, mediaType: Self.plainText))
        }
        if isAction, !rules.isProven(fields) {
            return Self.response(
                DashboardReply(
                    "This form is not of this dashboard; load the page again.\n", status: 403,
                    mediaType: Self.plainText))
        }
        let wanted = DashboardRequest(path: head.path, fields: fields, isAction: isAction)
        let answer = answer
        let reply = await work.run { answer(wanted) }
        let response = Self.response(
            reply
                ?? DashboardReply(
                    "Too many pages are being made; load this one again in a while.\n", status: 503,
                    mediaType: Self.plainText))
        return head.method == "HEAD" ? response.createHeadResponse() : response
    }

    private static let plainText = "text/plain; charset=utf-8"

    private static func form(_ request: Request) async throws(FieldList.Problem) -> String {
        let buffer: ByteBuffer
        do {
            buffer = try await request.body.collect(upTo: FieldList.maximumByteCount)
        } catch {
            throw .tooLong
        }
        guard let text = String(validating: buffer.readableBytesView, as: UTF8.self) else { throw .malformed }
        return text
    }

    // MARK: Replies

    private static func response(_ reply: DashboardReply) -> Response {
        var headers = ReplyHeaders.all
        headers[.contentType] = reply.mediaType
        let status = HTTPResponse.Status(code: reply.status)
        switch reply.body {
        case .data(let data):
            return Response(
                status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: data)))
        case .redirect(let location):
            headers[.location] = location
            return Response(status: status, headers: headers)
        case .file(let file, let name):
            headers[.contentDisposition] = "attachment; filename=\"\(name)\""
            let body = ResponseBody(contentLength: file.byteCount) { writer in
                var offset = 0
                while offset < file.byteCount {
                    let piece = file.bytes(at: offset, count: pieceByteCount)
                    guard !piece.isEmpty else { break }
                    try await writer.write(ByteBuffer(bytes: piece))
                    offset += piece.count
                }
                try await writer.finish(nil)
            }
            return Response(status: status, headers: headers, body: body)
        }
    }
}

extension RequestHead {
    fileprivate init(_ request: Request) {
        self.init(
            method: request.method.rawValue, target: request.head.path ?? "/",
            host: request.head.authority,
            origin: request.headers[.origin],
            site: HTTPField.Name("Sec-Fetch-Site").flatMap { request.headers[$0] },
            cookies: request.headers[values: .cookie])
    }
}
