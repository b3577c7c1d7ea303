import Archive
import BoardLink
import CommandLineText
import Foundation
import KeyFiles
import Sync

extension Failure {
    init(_ error: ArchiveError) {
        switch error {
        case .absent(let path):
            self.init(
                .noInput, "\(path): no such archive; fetch a board first with `tabardctl sync`")
        case .tooNew(let path):
            self.init(.data, "\(path): written by a later version of tabardctl; update this one")
        case .tooOld(let path):
            self.init(
                .data,
                "\(path): written by a version before 0.1; fetch the boards into a new archive with --archive"
            )
        case .outdated(let path):
            self.init(
                .data,
                "\(path): written by another version of tabardctl, or by a command that could not finish; run "
                    + "`tabardctl archive upgrade`")
        case .keysMissing(let path, let fingerprints):
            let keys = fingerprints.map(Fingerprint.text).joined(separator: ", ")
            self.init(
                .noInput,
                "\(path): decoding needs the owner key \(keys); give it with --opening, or run "
                    + "`tabardctl archive upgrade --lock`")
        case .otherBoardKey(let board):
            self.init(
                .data,
                "\(board): the archive has another key of this board than your list of known boards; it was in "
                    + "other hands, or the board was trusted elsewhere. If the key in the archive is right, "
                    + "remove the board's lines from that list (--known-boards, default "
                    + "\(CustodyFiles.defaultKnownBoards)) and run `tabardctl trust`")
        case .kept(let path):
            self.init(.cannotCreate, "\(path): exists already; move it to another place and try again")
        case .busy(let path):
            self.init(.tryAgain, "\(path): another program is using the archive; wait for it to finish")
        case .noArchive(let path):
            self.init(
                .data,
                "\(path): not an archive of tabardctl, or damaged; give another file, restore a backup, or "
                    + "fetch the boards into a new file")
        case .folder(let path):
            self.init(.noInput, "\(path): a folder; give the archive file in it with --archive")
        case .forbidden(let path, .reading):
            self.init(.noPermission, "\(path): you may not read this file; ask its owner for a copy")
        case .forbidden(let path, _):
            self.init(
                .noPermission,
                "\(path): you may not write there; ask the owner, or copy the archive into a folder of your own"
            )
        case .full(let path):
            self.init(.inputOutput, "\(path): the disk is full; free some space and run the command again")
        case .database(let path, let reason):
            self.init(.inputOutput, "\(path): \(reason); check the disk, and restore a backup if it fails")
        case .discontinuous(let segment, _, _):
            self.init(.data, "segment \(segment): the board sent bytes out of order; run the command again")
        case .tooManyBranches(let board):
            self.init(
                .data,
                "board \(board.short) served too many different versions of its log; run `tabardctl verify`")
        case .trustedAlready(let board):
            self.init(
                .noPermission,
                "the archive trusts another board with log \(board.short); two boards cannot share a log")
        case .unknownBoard(let board):
            self.init(.noInput, "board \(board.short) is not in the archive; fetch it with `tabardctl sync`")
        }
    }

    /// `hasBegun`: whether the run has fetched data, so that another run continues from there.
    ///
    /// - Parameter reason: the board's own text for its refusal, if it sent one.
    init(_ error: LinkError, hasBegun: Bool = false, reason: String? = nil) {
        let again = "; run the command again to continue from there"
        switch error {
        case .cannotOpen(let port, let code) where code == EACCES:
            self.init(
                .noPermission,
                "\(port): permission denied; join the group that owns it (often dialout) and log in again")
        case .cannotOpen(let port, let code) where code == ENOENT:
            self.init(
                .unavailable, "\(port): no such port; `tabardctl devices` lists the ports")
        case .cannotOpen(let port, let code) where code == EINVAL:
            self.init(
                .usage,
                "\(port): --baud is not a speed of serial ports; give 9600, 19200, 38400, 57600, 115200, 230400, "
                    + "460800, 500000, 921600, 1000000, 1500000, 2000000, 3000000 or 4000000")
        case .cannotOpen(let port, let code):
            self.init(.unavailable, "\(port): \(Self.text(code)); check that it is a serial port")
        case .busy(let port):
            self.init(.tryAgain, "\(port): another tabardctl is using it; wait for it to finish")
        case .gone(let port):
            self.init(
                hasBegun ? .tryAgain : .unavailable,
                "\(port): the board was unplugged; plug it in again" + (hasBegun ? again : ""))
        case .failed(let port, let code):
            self.init(.inputOutput, "\(port): \(Self.text(code))" + (hasBegun ? again : ""))
        case .noAnswer(let port, _):
            self.init(
                hasBegun ? .tryAgain : .unavailable,
                "\(port): no answer; check the cable, and that the agent uses this port"
                    + (hasBegun ? again : ""))
        case .foreignText(let port):
            self.init(
                .unavailable, "\(port): something answers, but it is not Tabard; is it a login console?")
        case .refused(_, .accessDenied):
            self.init(
                .noPermission,
                "the board requires a signature with its operator key; give the key file with --operator")
        case .refused(_, .notSigned):
            self.init(
                .noPermission,
                "the board has another operator key; `tabardctl devices` shows its fingerprint")
        case .cannotSign(let request):
            self.init(.data, "the operator key cannot sign the request \(request); check its file")
        case .cannotSeal:
            self.init(
                .data, "the keys cannot be encrypted for the board; they are too long, or its key is invalid")
        case .refused(let request, let refusal):
            let remedy = refusal.meaning == nil ? "; check that it is a Tabard board" : ""
            self.init(
                .data,
                (reason.map(BoardText.plain) ?? refusal.meaning ?? "unknown refusal")
                    + ": the board refused the request \(request) (\(refusal.codeText))\(remedy)")
        case .indexUnreadable(let port):
            self.init(
                .data,
                "\(port): cannot read the board's index; check that it is a Tabard board of this version")
        }
    }

    init(_ error: SyncError, hasBegun: Bool) {
        switch error {
        case .link(let error): self.init(error, hasBegun: hasBegun)
        case .archive(let error): self.init(error)
        case .impostor(let impostor): self.init(impostor)
        case .restarted:
            self.init(.tryAgain, "the board's agent restarted meanwhile; run the command again")
        case .overLimit(.tooSlow):
            self.init(
                .tryAgain,
                "the board sends almost nothing; check the cable, then run the command again")
        case .overLimit(.tooLarge):
            self.init(
                .data, "an untrusted board announces a log that is too large; trust it first with --trust")
        case .stopped:
            self.init(
                .tryAgain, "interrupted; the fetched data is stored, and the next run continues from there")
        }
    }

    init(_ error: DockFailure, hasBegun: Bool = false) {
        switch error {
        case .sync(let error): self.init(error, hasBegun: hasBegun)
        case .otherServer(let port):
            self.init(.unavailable, "\(port): an SMP server, but not a Tabard board; give another port")
        case .sameBoard(let port, let other):
            self.init(.tryAgain, "\(port): the same board as at \(other), where a fetch is running")
        }
    }

    private init(_ impostor: Impostor) {
        let board = impostor.claimed.short
        let known = "the device claims to be board \(board), but "
        switch impostor.reason {
        case .noProof:
            self.init(
                .noPermission,
                known + "does not prove it with the board's key; nothing was stored")
        case .otherKey(let fingerprint):
            self.init(
                .noPermission,
                known + "has another key, \(Fingerprint.text(fingerprint)); nothing was stored. If the board "
                    + "lost its key file, compare the fingerprint and give --trust with it")
        case .firstKey(let fingerprint):
            self.init(
                .noPermission,
                "the archive trusts no key of board \(board), and this device has "
                    + "\(Fingerprint.text(fingerprint)); nothing was stored. Compare the fingerprint and give --trust with it"
            )
        case .badSignature:
            self.init(
                .noPermission,
                known + "its signature is wrong; nothing was stored")
        case .contradiction:
            self.init(
                .noPermission,
                known + "its answers contradict what the board signed; nothing was stored")
        }
    }

    private static func text(_ code: Int32) -> String { String(cString: strerror(code)) }
}

/// Runs `work` and turns the archive's errors into failures.
func archiving<Value>(_ work: () throws(ArchiveError) -> Value) throws(Failure) -> Value {
    do throws(ArchiveError) { return try work() } catch { throw Failure(error) }
}
