import ArgumentParser
import Foundation

/// An error in one line, with its exit code.
struct Failure: Error, CustomStringConvertible {
    let description: String
    let exitCode: Int32

    init(_ description: String, exitCode: Int32) {
        self.description = description
        self.exitCode = exitCode
    }
}
