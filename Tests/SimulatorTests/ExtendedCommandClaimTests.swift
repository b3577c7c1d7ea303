import HCI
import Simulator
import Testing

/// Controllers that claim extended commands which they do not have.
@Suite struct ExtendedCommandClaimTests {
    /// The bit of each command that can be tried without a link, with the length of its parameters.
    private static let places: [(opCode: UInt16, byteCount: Int, octet: Int, bit: UInt8)] = [
        (0x0c01, 8, 5, 6), (0x1001, 0, 14, 3), (0x1005, 0, 14, 7), (0x1009, 0, 15, 1), (0x2001, 8, 25, 0),
        (0x2002, 0, 25, 1), (0x2003, 0, 25, 2), (0x2005, 6, 25, 4), (0x2006, 15, 25, 5), (0x2008, 32, 25, 7),
        (0x2009, 32, 26, 0), (0x200a, 1, 26, 1), (0x200b, 7, 26, 2), (0x200c, 2, 26, 3), (0x200d, 25, 26, 4),
        (0x200e, 0, 26, 5), (0x2007, 0, 25, 6), (0x200f, 0, 26, 6), (0x2035, 7, 36, 1), (0x2036, 25, 36, 2),
        (0x2038, 4, 36, 4), (0x2041, 8, 37, 5), (0x2042, 6, 37, 6), (0x2043, 26, 37, 7),
    ]

    private func supportedCommands(of host: ControllerHost) throws -> [UInt8] {
        #expect(host.perform(.readLocalSupportedCommands) == .success)
        let answer = try #require(
            host.answers.last { $0.bytes.starts(with: [4, 0x0e, 68, 1, 0x02, 0x10, 0]) })
        return Array(answer.bytes[7...])
    }

    @Test(arguments: [false, true])
    func `A controller's list of supported commands matches its answers`(hasExtendedCommands: Bool) throws {
        var profile = ControllerProfile()
        profile.hasExtendedCommands = hasExtendedCommands
        for place in Self.places {
            let host = ControllerHost(profile, in: World(seed: 1))
            let says = try supportedCommands(of: host)[place.octet] >> place.bit & 1 == 1
            let status = host.perform(
                OpCode(rawValue: place.opCode), [UInt8](repeating: 0, count: place.byteCount))
            #expect(says == (status != .unknownCommand), "0x\(String(place.opCode, radix: 16))")
        }
    }

    @Test func `A controller with a false claim knows no extended command`() throws {
        for claim in [ExtendedCommandClaim.featureAlone, .featureAndCommands] {
            let host = ControllerHost(in: World(seed: 1))
            host.controller.extendedCommandClaim = claim
            let commands = try supportedCommands(of: host)
            #expect(commands[36...37].elementsEqual(claim == .featureAlone ? [0, 0] : [0x2e, 0xe0]))
            #expect(host.perform(.leReadLocalFeatures) == .success)
            #expect(host.answers.last?.bytes[8] == 0x10)
            #expect(
                host.perform(.leSetExtendedScanParameters, [1, 0, 1, 0, 0x60, 0, 0x50, 0]) == .unknownCommand)
        }
    }

    @Test(arguments: [(.featureAlone, 0), (.featureAndCommands, 1)] as [(ExtendedCommandClaim, UInt32)])
    func `A board uses the older commands with such a controller, after one reset at most`(
        claim: ExtendedCommandClaim, resets: UInt32
    ) throws {
        let world = World(seed: 3)
        var setup = BoardSetup()
        setup.options += ["radio.extended_commands=true"]
        let board = SimulatedBoard("board", setup, in: world)
        board.controller.extendedCommandClaim = claim
        let phone = SimulatedPhone(
            "phone", payload: [0x10, 1], at: Route(standingAt: Position(1, 1)), in: world)
        board.powerOn()
        world.run(for: .seconds(3))
        #expect(board.controller.truth.scanningSince != nil)
        #expect(board.controller.truth.advertisingSince != nil)
        world.run(for: .minutes(5))
        let status = try #require(board.radioStatus)
        #expect(status.rungs.reset == resets && status.rungs.total == resets && status.state == .up)
        #expect(board.controller.truth.reportsTaken > 100 && board.controller.truth.linkCount > 0)
        #expect(board.controller.violations == [])
        withExtendedLifetime(phone) { world.end() }
    }
}
