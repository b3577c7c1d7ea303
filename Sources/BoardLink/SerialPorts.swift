import DeviceSync
import FixedMemory
import Foundation
import Glibc

/// The serial ports of this computer that may have a board behind them.
public enum SerialPorts {
    /// The default patterns for finding boards.
    public static let patterns = [
        "/dev/serial/by-id/*", "/run/tabard/*", "/dev/tabard/*", "/dev/ttyACM*", "/dev/ttyUSB*",
    ]

    /// The paths of the ports, each device once, under its most descriptive name. The order is: given paths,
    /// by-id names, Tabard names, numbered names.
    public static func candidates(given: [String] = []) -> [String] {
        candidates(matching: given + patterns)
    }

    /// The paths that match only these paths or patterns (`/dev/ttyACM*`).
    public static func candidates(matching patterns: [String]) -> [String] {
        var seen: Set<String> = []
        return patterns.flatMap(matches).filter { path in
            isCharacterDevice(path)
                && seen.insert(URL(filePath: path).resolvingSymlinksInPath().path).inserted
        }
    }

    /// The ports present now, with values that identify each plug-in, so that a later device on the same path
    /// is recognised.
    public static func plugged(matching patterns: [String]) -> [PluggedPort] {
        candidates(matching: patterns).map { path in
            var link = stat()
            var device = stat()
            _ = lstat(path, &link)
            _ = stat(path, &device)
            return PluggedPort(
                path: path, incarnation: [UInt64(link.st_ino), UInt64(device.st_ino), UInt64(device.st_rdev)])
        }
    }

    /// Identifies the device that answers at `path` within a short time.
    public static func probe(_ path: String, baud: UInt32 = SerialChannel.defaultBaud) -> ProbedPort {
        do throws(LinkError) {
            let client = BoardClient(try SerialChannel(path: path, baud: baud), patience: .probe)
            guard try client.echo() else { return ProbedPort(path: path, finding: .silent) }
            client.patience = BoardClient.RetryPolicy(attemptCount: 2, timeout: .seconds(1))
            do throws(LinkError) {
                let index = try client.index()
                var port = ProbedPort(path: path, finding: .board(index, try client.status()))
                port.keys = try? client.keys()
                return port
            } catch {
                return ProbedPort(path: path, finding: .otherServer)
            }
        } catch {
            switch error {
            case .noAnswer: return ProbedPort(path: path, finding: .silent)
            default: return ProbedPort(path: path, finding: .closed(error))
            }
        }
    }

    private static func matches(_ pattern: String) -> [String] {
        var result = glob_t()
        defer { globfree(&result) }
        guard glob(pattern, 0, nil, &result) == 0, let paths = result.gl_pathv else { return [] }
        return (0..<Int(result.gl_pathc)).compactMap { paths[$0].map { String(cString: $0) } }
    }

    private static func isCharacterDevice(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFCHR
    }
}

/// A port that is present.
public struct PluggedPort: Sendable, Equatable {
    public let path: String
    /// Differs after the device was unplugged and plugged in again.
    public let incarnation: [UInt64]

    public init(path: String, incarnation: [UInt64] = []) {
        self.path = path
        self.incarnation = incarnation
    }
}

public struct ProbedPort: Sendable {
    public enum Finding: Sendable {
        case board(BoardIndex, BoardStatus)
        /// An SMP server answered, but it is not a Tabard board.
        case otherServer
        case silent
        case closed(LinkError)
    }

    public let path: String
    public let finding: Finding
    /// The board's keys; nil if it has none.
    public var keys: BoardKeyReport?
}
