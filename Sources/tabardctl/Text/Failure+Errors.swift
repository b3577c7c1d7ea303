import Archive
import BoardLink
import CommandLineText
import Foundation
import Sync

extension Failure {
    init(_ error: ArchiveError) {
        switch error {
        case .absent(let path):
            self.init(
                .noInput, "\(path): there is no archive here; fetch something first with `tabardctl sync`")
        case .tooNew(let path):
            self.init(.data, "\(path): written by a later version of tabardctl; update this one")
        case .noArchive(let path):
            self.init(.data, "\(path): no archive, or damaged; name the archive's file with --archive")
        case .database(let path, let reason):
            self.init(
                .inputOutput, "\(path): \(reason); check that it is an archive and that you may write there")
        case .discontinuous(let segment, _, _):
            self.init(.data, "segment \(segment): the board sent bytes out of order; run the command again")
        case .unknownBoard(let board):
            self.init(.noInput, "board \(board.short) is not in the archive; `tabardctl sync` fetches it")
        }
    }

    /// `hasBegun`: something was fetched, so that another run goes on from there.
    init(_ error: LinkError, hasBegun: Bool = false) {
        let again = "; run it again and it goes on where it stopped"
        switch error {
        case .cannotOpen(let port, let code) where code == EACCES:
            self.init(
                .noPermission,
                "\(port): permission denied; join the group that owns it (often dialout) and log in again")
        case .cannotOpen(let port, let code) where code == ENOENT:
            self.init(
                .unavailable, "\(port): there is no such port; `tabardctl devices` lists those there are")
        case .cannotOpen(let port, let code):
            self.init(.unavailable, "\(port): \(Self.text(code)); is it a serial port?")
        case .busy(let port):
            self.init(.tryAgain, "\(port): another tabardctl is using it; wait for it to finish")
        case .gone(let port):
            self.init(
                hasBegun ? .tryAgain : .unavailable,
                "\(port): the board is gone; plug it in again" + (hasBegun ? again : ""))
        case .failed(let port, let code):
            self.init(.inputOutput, "\(port): \(Self.text(code))" + (hasBegun ? again : ""))
        case .noAnswer(let port, let request):
            self.init(
                hasBegun ? .tryAgain : .unavailable,
                "\(port): no answer (\(request)); check the cable and that the agent serves this port"
                    + (hasBegun ? again : ""))
        case .refused(_, .accessDenied):
            self.init(
                .noPermission,
                "the board takes this only signed with its operator key; name the key's file with --operator")
        case .refused(_, .notSigned):
            self.init(
                .noPermission,
                "the board knows another operator key than this; `tabardctl devices` says which")
        case .cannotSign(let request):
            self.init(.data, "the operator key could not sign the request \(request); is its file whole?")
        case .refused(let request, let refusal):
            self.init(
                .data,
                "the board refused the request \(request) "
                    + "(\(refusal.group.map { "group \($0), " } ?? "")code \(refusal.code)); is it a Tabard?")
        case .indexUnreadable(let port):
            self.init(
                .data,
                "\(port): the board's index cannot be read; is it a Tabard, of a version like this one?")
        }
    }

    init(_ error: SyncError, hasBegun: Bool) {
        switch error {
        case .link(let error): self.init(error, hasBegun: hasBegun)
        case .archive(let error): self.init(error)
        case .stopped:
            self.init(.tryAgain, "interrupted; what was fetched is kept, and the next run goes on from there")
        }
    }

    init(_ error: DockFailure, hasBegun: Bool = false) {
        switch error {
        case .sync(let error): self.init(error, hasBegun: hasBegun)
        case .otherServer(let port): self.init(.unavailable, "\(port): speaks SMP, but is no Tabard")
        case .sameBoard(let port, let other):
            self.init(.tryAgain, "\(port): the same board as at \(other), which is being fetched from")
        }
    }

    private static func text(_ code: Int32) -> String { String(cString: strerror(code)) }
}

/// Runs `work` and turns the archive's errors into failures.
func archiving<Value>(_ work: () throws(ArchiveError) -> Value) throws(Failure) -> Value {
    do throws(ArchiveError) { return try work() } catch { throw Failure(error) }
}
