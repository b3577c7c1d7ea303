import Testing

@testable import Cards

@Suite struct BoardPackageTests {
    private static let archive = Array("!<arch>\ndebian-binary   1732617600".utf8)

    @Test func `the name says version and architecture`() throws {
        let package = try BoardPackage(path: "/tmp/tabard_0.3.0~rc1_armhf.deb", bytes: Self.archive)
        #expect(package.version == "0.3.0~rc1")
        #expect(package.architecture == .armhf)
    }

    @Test(arguments: [
        ("tabardctl_0.3.0_amd64.deb", "not named as a package of the agent"),
        ("tabard_0.3.0_riscv64.deb", "for riscv64; boards have packages for"),
        ("../tabard_0.3.0_arm64.deb.part", "not named as a package of the agent"),
    ])
    func `another package is refused`(path: String, reason: String) {
        let error = #expect(throws: CardError.self) { try BoardPackage(path: path, bytes: Self.archive) }
        #expect(error?.message.hasPrefix(reason) ?? false)
    }

    @Test func `a file that is no package is refused`() {
        #expect(throws: CardError.package("not a Debian package; copy it again")) {
            try BoardPackage(path: "tabard_0.3.0_arm64.deb", bytes: Array("<html>".utf8))
        }
    }
}
