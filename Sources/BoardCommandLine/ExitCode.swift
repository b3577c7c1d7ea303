/// The exit codes, as in sysexits.h.
package enum ExitCode {
    package static let success: Int32 = 0
    package static let usage: Int32 = 64
    package static let data: Int32 = 65
    package static let noInput: Int32 = 66
    package static let unavailable: Int32 = 69
    package static let software: Int32 = 70
    package static let inputOutput: Int32 = 74
    package static let tryAgain: Int32 = 75
    package static let permission: Int32 = 77
    /// Not an exit code: main.c runs the program again.
    package static let restart: Int32 = -1
}
