import ArgumentParser
import Authority
import CommandLineText
import Exposure
import Reports
import Schemes

struct MatchBLEProximityCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "ble-proximity", abstract: "Say which boards met people whose identities are published.",
        discussion: """
            LIST is a list as `tabardctl authority ble-proximity` writes it. An identity matches in its time, and an hour on \
            either side. What boards heard more than 28 days ago does not match. Identities that a peer only wrote are marked: \
            anybody can write any.

            Exit code 0: done, whether anything matched or not; 65: the file is no such list; 66: there is no such file.

            Examples:
              tabardctl match ble-proximity published.json
              tabardctl match ble-proximity published.json --board Foyer --format json
            """)

    @Argument(help: ArgumentHelp("What the authority has published.", valueName: "list"))
    var list: String

    @OptionGroup var options: MatchOptions

    func execute() throws(Failure) {
        guard let published = BLEProximityPositives(try Documents.json(list)) else {
            throw Failure(.data, "\(list): no list of BLE-Proximity's identities, or damaged; fetch it again")
        }
        let keys = published.entries.map { PublishedIdentityKey(Timed($0.id, $0.validity), text: $0.text) }
        try options.match(keys, of: BLEProximity.self)
    }
}
