import ArgumentParser
import CommandLineText
import Configuration
import FixedMemory
import LogContents

/// The role of a board, and its place. `setup` asks for missing values.
struct PlaceOptions: ParsableArguments {
    @Option(help: "Use of the board: beacon or wearable; default: beacon.")
    var role: BoardRole?

    @Option(
        help: ArgumentHelp(
            "Number of the venue within the state, 0 to 4294967295; a beacon needs it.", valueName: "number"))
    var venueNumber: String?

    @Option(
        help: ArgumentHelp(
            "Name of the venue, for visitors; and of the board in the archive.", valueName: "text"))
    var name: String?

    @Option(help: ArgumentHelp("Area within the venue, for visitors.", valueName: "text"))
    var area: String?

    @Option(help: ArgumentHelp("Web address for visitors, starting with https://.", valueName: "address"))
    var url: String?

    @OptionGroup var region: RegionOptions

    @Option(
        name: .customLong("set"),
        help: ArgumentHelp(
            "Another key of the configuration, as in log.retention_days=14; may be repeated.",
            valueName: "key=value"))
    var assignments: [String] = []

    func validate() throws {
        if let name { try BoardNameRule.check(name) }
        if role == .wearable {
            for (option, value) in [("--venue-number", venueNumber), ("--area", area), ("--url", url)]
            where value != nil {
                throw ValidationError("\(option) is of a beacon; a wearable stands for no place")
            }
        }
        for assignment in assignments
        where !assignment.contains("=") || assignment.contains(where: \.isNewline) {
            throw ValidationError("\(assignment): not an assignment; write section.key=value on one line")
        }
    }

    /// The values that were given, by the names of their options.
    var values: [String: String] {
        let all = [
            "role": role?.rawValue, "venue-number": venueNumber, "name": name, "area": area, "url": url,
            "country": region.country, "state": region.state,
        ]
        return all.compactMapValues(\.self)
    }

    /// The settings that the options give.
    var settings: PlaceSettings {
        var settings = PlaceSettings(role: role ?? .beacon)
        settings.boardName = name
        settings.add(.country, region.country)
        settings.add(.state, region.state)
        if settings.role == .beacon {
            settings.add(.location, venueNumber)
            settings.add(.name, name)
            settings.add(.area, area)
            settings.add(.url, url)
        }
        settings.others = assignments
        return settings
    }
}
