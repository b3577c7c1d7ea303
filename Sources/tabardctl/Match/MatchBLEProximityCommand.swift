import ArgumentParser
import Authority
import CommandLineText
import Exposure
import Reports
import Schemes

struct MatchBLEProximityCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "ble-proximity", abstract: "Find encounters with published BLE-Proximity identities.",
        usage: "tabardctl match ble-proximity <list> [<options>]",
        discussion: """
            Examples:
              tabardctl match ble-proximity published.json
              tabardctl match ble-proximity published.json --board Foyer --format json

            LIST has the format that `tabardctl authority ble-proximity` writes. An identity matches \
            during its validity and one hour before and after. Encounters of more than 28 days ago \
            do not match. The output marks identities that a peer wrote to the board because any \
            device can write any identity.

            Exit codes: 0 done, with or without a match; 65 not such a list; 66 no such file.
            """)

    @Argument(
        help: ArgumentHelp("Published list of identities (JSON).", valueName: "list"), completion: .file())
    var list: String

    @OptionGroup var options: MatchOptions

    func execute() throws(Failure) {
        guard let published = BLEProximityPositives(try Documents.json(list)) else {
            throw Failure(
                .data, "\(list): not a list of BLE-Proximity identities, or damaged; fetch it again")
        }
        let keys = published.entries.map { PublishedIdentityKey(Timed($0.id, $0.validity), text: $0.text) }
        try options.match(keys, of: BLEProximity.self)
    }
}
