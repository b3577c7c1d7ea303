import Foundation
import Testing
import TextFormats

@Suite struct ShellWordTests {
    @Test(arguments: [
        ("/dev/ttyACM0", "/dev/ttyACM0"), ("", "''"), ("a b", "'a b'"), ("it's", "'it'\\''s'"),
        ("$(rm)", "'$(rm)'"), ("a\nb", "'a\nb'"),
    ]) func `a word is quoted if a shell would read it otherwise`(_ word: String, _ quoted: String) {
        #expect(ShellWord.quoted(word) == quoted)
    }

    @Test(arguments: [
        "Foyer", "Adams Pizza", "it's \"here\" $HOME `id` \\ ; &", "", "Caf\u{e9}", "a\tb", "~", "a=b",
    ]) func `this machine's shell reads any word as it is`(word: String) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", "printf %s \(ShellWord.quoted(word))"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        process.waitUntilExit()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        #expect(text == word)
    }
}
