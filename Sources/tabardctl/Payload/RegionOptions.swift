import ArgumentParser

/// The country and the state of a payload.
struct RegionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("ISO 3166-1 numeric country code, 1 to 999; default: 826.", valueName: "number"))
    var country: String?

    @Option(
        help: ArgumentHelp(
            "State within the country, 0 to 65535; default: 0, the whole country.", valueName: "number"))
    var state: String?
}
