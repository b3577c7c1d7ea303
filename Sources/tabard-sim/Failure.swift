import ArgumentParser
import Foundation

/// An error with a message of one line and an exit code.
struct Failure: Error, CustomStringConvertible {
    let description: String
    let exitCode: Int32

    init(_ description: String, exitCode: Int32) {
        self.description = description
        self.exitCode = exitCode
    }
}
