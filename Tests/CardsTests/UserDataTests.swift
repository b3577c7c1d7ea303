import Testing
import Yams

@testable import Cards

/// cloud-init's `user-data` of Raspberry Pi OS, and what people make of it.
@Suite struct UserDataTests {
    private static let command =
        "cloud-init-per instance tabard systemd-run --no-block --unit=tabard-first-boot "
        + "sh /boot/firmware/tabard/first-boot.sh"
    private static var item: String { "- [\(command.replacing(" ", with: ", "))] # tabard" }

    /// The early commands, as a reader of YAML sees them.
    private func commands(_ text: String) throws -> [String] {
        let node = try #require(try Yams.compose(yaml: text))
        return try #require(node["bootcmd"]?.sequence).map { command in
            command.string ?? command.sequence?.map { $0.string ?? "?" }.joined(separator: " ") ?? "?"
        }
    }

    @Test func `a file of comments gets the command, and keeps its comments`() throws {
        let text = "#cloud-config\n\n# Run commands:\n#bootcmd:\n#- [ ls, -l, / ]\n"
        let new = try UserData.adding(to: text)
        #expect(new == text + "bootcmd:\n\(Self.item)\n")
        #expect(try commands(new) == [Self.command])
    }

    @Test(arguments: [
        "#cloud-config\nbootcmd:\n- [ls, /]\n- touch a\nhostname: foyer\n",
        "#cloud-config\nhostname: foyer\nbootcmd: # ours\n\n  # first\n  - ls /\n  - touch a\n",
        "#cloud-config\r\nhostname: foyer\r\nbootcmd:\r\n  - ls /\r\n  - touch a\r\n",
    ])
    func `other commands follow ours`(text: String) throws {
        let new = try UserData.adding(to: text)
        #expect(try commands(new) == [Self.command, "ls /", "touch a"])
        #expect(try Yams.compose(yaml: new)?["hostname"]?.string == "foyer")
    }

    @Test func `a card that is prepared again gets the command once`() throws {
        let once = try UserData.adding(to: "#cloud-config\nhostname: foyer\n")
        #expect(try UserData.adding(to: once) == once)
    }

    @Test func `an empty file becomes a configuration`() throws {
        #expect(try UserData.adding(to: "") == "#cloud-config\nbootcmd:\n\(Self.item)\n")
    }

    @Test(arguments: [
        ("#!/bin/sh\nls\n", "is no #cloud-config"),
        ("#cloud-config\nbootcmd: [[ls, /]]\n", "add this line to them"),
        ("#cloud-config\nbootcmd: |\n  ls\n", "add this line to them"),
        ("#cloud-config\nhostname: [\n", "is not YAML"),
        ("#cloud-config\n- one\n- two\n", "has no settings"),
    ])
    func `a form that cannot be extended is refused with what to do`(text: String, reason: String) {
        let error = #expect(throws: CardError.self) { try UserData.adding(to: text) }
        #expect(error?.message.contains(reason) ?? false)
    }
}
