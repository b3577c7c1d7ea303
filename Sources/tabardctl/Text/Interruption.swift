import Glibc

/// Whether someone asked the program to stop. The first request takes effect between two steps; the second
/// ends the program immediately.
enum Interruption {
    nonisolated(unsafe) private static var count: sig_atomic_t = 0

    static var isRequested: Bool { count > 0 }

    static func watch() {
        for number in [SIGINT, SIGTERM, SIGHUP] {
            signal(number) { number in
                Interruption.count += 1
                if Interruption.count > 1 { signal(number, SIG_DFL) }
            }
        }
    }
}
