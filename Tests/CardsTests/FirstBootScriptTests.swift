import Foundation
import Testing

@testable import Cards

/// The shell script of the first boot, run by this machine's shell.
@Suite struct FirstBootScriptTests {
    @Test(arguments: ["Foyer", "Adams Pizza", "it's \"here\" $HOME `id` \\ ; &", "", "Caf\u{e9}", "a\tb"])
    func `any word reaches the program as it is`(word: String) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", "printf %s \(FirstBootScript.quoted(word))"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        process.waitUntilExit()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        #expect(text == word)
    }
}
