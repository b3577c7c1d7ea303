// swift-tools-version: 6.2
import PackageDescription

// The floors of docs/architecture.md: a module imports only from lower floors.
// The same sources build as ordinary Swift (host, tests) and as Embedded Swift (boards/sdk); what differs
// is in the SDK's toolset, never here.

// Lifetimes: views into memory that cannot outlive it. SuppressedAssociatedTypes: parts of a platform that own
// something (a descriptor) and so cannot be copied. The release compiler takes both, for boards too.
let settings: [SwiftSetting] = [
    .enableExperimentalFeature("Lifetimes"), .enableExperimentalFeature("SuppressedAssociatedTypes"),
    .swiftLanguageMode(.v6),
]

func module(_ name: String, _ dependencies: [Target.Dependency] = [], libraries: [String] = []) -> Target {
    .target(
        name: name, dependencies: dependencies, swiftSettings: settings,
        linkerSettings: libraries.map { .linkedLibrary($0) })
}

func tests(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .testTarget(
        name: name + "Tests", dependencies: [.byName(name: name), "TestSupport"] + dependencies,
        swiftSettings: settings)
}

let package = Package(
    name: "Tabard",
    products: [
        .executable(name: "tabard", targets: ["tabard"]),
        .executable(name: "tabard-commands", targets: ["tabard-commands"]),
        .executable(name: "tabardctl", targets: ["tabardctl"]),
        // Linked with libFuzzer by `make fuzz`.
        .library(name: "FuzzTargets", type: .static, targets: ["FuzzTargets"]),
    ],
    // Exact: what reads boards' evidence must build the same twice.
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
        .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
        .package(url: "https://github.com/swiftcsv/SwiftCSV", exact: "0.10.0"),
        // One of its dependencies has a module with the name of our own Configuration. Its other name works only
        // if Hummingbird uses it.
        .package(
            url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1",
            traits: ["ConfigurationSupport"]),
    ],
    targets: [
        // Floor 0: C.
        .target(name: "CMbedTLS"),
        .systemLibrary(name: "CLibCrypto"),
        .systemLibrary(name: "CZlib"),
        .systemLibrary(name: "CZstd"),
        .systemLibrary(name: "CXLSXWriter"),
        .systemLibrary(name: "CQREncode"),
        .target(name: "CLinux"),
        .target(name: "CProductVersion"),

        // Floor 1.
        module("FixedMemory", ["CLinux"]),
        module("Cryptography", ["FixedMemory", "CMbedTLS", "CLinux"], libraries: ["mbedcrypto"]),
        module("ProductVersion", ["FixedMemory", "CProductVersion"]),

        // Floor 2.
        module("HCI", ["FixedMemory"]),
        module("Schemes", ["FixedMemory", "Cryptography"]),
        module("EncounterLog", ["FixedMemory", "Cryptography", "Schemes"]),
        module("DeviceSync", ["FixedMemory", "Cryptography"]),
        module("Updates", ["FixedMemory", "Cryptography"]),

        // Floor 3.
        module("Configuration", ["FixedMemory", "Schemes"]),
        module("GATT", ["FixedMemory"]),

        // Floor 4.
        module("Peers", ["FixedMemory", "HCI", "EncounterLog", "Schemes"]),

        // Floor 5.
        module("Protocols", ["FixedMemory", "HCI", "Schemes", "GATT", "EncounterLog", "Peers"]),

        // Floor 6: the controller, its links and its health.
        module(
            "Radio",
            [
                "FixedMemory", "Cryptography", "HCI", "Schemes", "EncounterLog", "DeviceSync", "GATT",
                "Peers",
                "Protocols",
            ]),

        // Floor 7.
        module(
            "Agent",
            [
                "FixedMemory", "Cryptography", "HCI", "Configuration", "Schemes", "EncounterLog",
                "DeviceSync", "Updates", "Peers", "Protocols", "Radio",
            ]),

        // A capture as the agent would have recorded it.
        module(
            "Replay",
            [
                "FixedMemory", "HCI", "Schemes", "EncounterLog", "DeviceSync", "GATT", "Peers", "Protocols",
                "Radio", "Agent",
            ]),

        // Floor 7: the agent's notices as text.
        module("AgentText", ["FixedMemory", "HCI", "Configuration", "EncounterLog", "Radio", "Agent"]),

        // Floor 8: the board's program.
        module(
            "LinuxPlatform",
            [
                "FixedMemory", "CLinux", "Cryptography", "HCI", "Configuration", "Schemes", "EncounterLog",
                "Updates", "Radio", "Agent", "AgentText",
            ]),
        // Arguments, output and configuration for both programs of the board.
        module("BoardCommandLine", ["FixedMemory", "CLinux", "Configuration", "LinuxPlatform"]),
        module(
            "AgentCommand",
            [
                "FixedMemory", "CLinux", "Cryptography", "Configuration", "Schemes", "EncounterLog",
                "Peers", "Radio", "Agent", "LinuxPlatform", "BoardCommandLine", "ProductVersion",
            ]),
        .executableTarget(name: "tabard", dependencies: ["AgentCommand"]),
        // The board's commands that are not the agent's have a program of their own, so that the agent stays
        // small.
        // The board's light, button and battery.
        module("BoardPanel", ["FixedMemory", "EncounterLog", "DeviceSync"]),
        module(
            "BoardCommands",
            [
                "FixedMemory", "CLinux", "Cryptography", "HCI", "Configuration", "EncounterLog", "DeviceSync",
                "Updates", "Peers", "Agent", "LinuxPlatform", "Replay", "BoardPanel", "BoardCommandLine",
                "ProductVersion",
            ]),
        .executableTarget(name: "tabard-commands", dependencies: ["BoardCommands"]),

        // A medium that fails, and what a log on it must survive (make powercut, make flips).
        module("FlashSimulator", ["FixedMemory", "Cryptography", "EncounterLog"]),
        // Floor 8: a deterministic world for the agent, and what runs it thousands of times (make sim).
        .target(name: "CAllocationMeter"),
        module(
            "Simulator",
            [
                "CAllocationMeter", "FixedMemory", "Cryptography", "HCI", "Configuration", "Schemes",
                "EncounterLog", "FlashSimulator", "DeviceSync", "GATT", "Peers", "Protocols", "Radio",
                "Agent", "AgentText", "TextFormats",
            ]),
        // Herald's formal test in simulated rooms, judged as real tests are.
        module(
            "FormalSimulation",
            [
                "FixedMemory", "HCI", "Schemes", "EncounterLog", "FlashSimulator", "Simulator", "Analysis",
                "TextFormats",
            ]),
        .executableTarget(
            name: "tabard-sim",
            dependencies: [
                "FixedMemory", "Cryptography", "Configuration", "HCI", "EncounterLog", "Schemes",
                "LinuxPlatform", "DeviceSync", "LogContents", "Archive",
                "FlashSimulator", "Simulator", "FormalSimulation", "Analysis", "Authority", "Outbreaks",
                "CommandLineText", "ProductVersion",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ], swiftSettings: settings),

        // The operator's program. What files and services write down, and what commands print.
        module("TextFormats", ["FixedMemory", "SwiftCSV"]),
        module("CommandLineText", ["ProductVersion"]),
        // Captures of other programs, converted to btsnoop.
        module("Compression", ["CZlib"]),
        module("Captures", ["HCI", "CZlib", "Compression"]),
        // Logs as boards wrote them, read without a database; then boards at the end of a line.
        module("LogContents", ["FixedMemory", "Cryptography", "EncounterLog"]),
        module(
            "BoardLink",
            [
                "FixedMemory", "CLinux", "Cryptography", "EncounterLog", "DeviceSync", "Updates",
                "LogContents",
            ]),
        module(
            "Archive",
            [
                "FixedMemory", "Cryptography", "EncounterLog", "DeviceSync", "Schemes", "LogContents",
                .product(name: "GRDB", package: "GRDB.swift"),
            ]),
        module(
            "Sync",
            [
                "FixedMemory", "Cryptography", "Configuration", "EncounterLog", "DeviceSync", "LogContents",
                "BoardLink", "Archive",
            ]),
        module(
            "KeyFiles", ["FixedMemory", "Cryptography", .product(name: "Crypto", package: "swift-crypto")]),
        // Very many keys of the schemes, on the system's libcrypto.
        module("Matching", ["FixedMemory", "Cryptography", "Schemes", "CLibCrypto"]),
        // The health authority's end of each scheme, and proofs that it and the board's are the originals'.
        module("Authority", ["FixedMemory", "Cryptography", "Schemes", "Matching", "TextFormats", "CZlib"]),
        module("Conformance", ["FixedMemory", "Cryptography", "Schemes", "Authority", "TextFormats"]),
        // Foreign logs and ours, beside each other: no database, so that simulations can use it too.
        module("Analysis", ["TextFormats"]),
        // What wearers report to authorities, whom boards met of those who did, and the risk of that.
        module(
            "Exposure",
            [
                "FixedMemory", "Schemes", "EncounterLog", "LogContents", "Archive", "Matching", "Authority",
                "TextFormats",
            ]),
        // Cards with Raspberry Pi OS, made ready for boards.
        module(
            "Cards",
            ["Compression", "KeyFiles", "TextFormats", .product(name: "Yams", package: "Yams")]),
        // What is printed for phones to read.
        module("QRCodes", ["CQREncode"]),
        // Distance from signal strength, as far as walk tests allow.
        module("Ranging", ["TextFormats"]),
        module(
            "Reports",
            [
                "FixedMemory", "Schemes", "EncounterLog", "LogContents", "Archive", "Analysis", "Authority",
                "Exposure", "QRCodes", "TextFormats", "KeyFiles",
                "Ranging",
            ]),
        // Tables for programs that analyse much data.
        module("Parquet", ["CZstd"]),
        // Contacts as the files of other programs.
        module(
            "Exports",
            [
                "FixedMemory", "Cryptography", "Schemes", "EncounterLog", "LogContents", "Archive", "Reports",
                "Parquet", "Ranging", "CXLSXWriter", "TextFormats",
                .product(name: "GRDB", package: "GRDB.swift"),
            ]),
        // Backups of boards' identities, as files.
        module(
            "Backups",
            [
                "FixedMemory", "Cryptography", "EncounterLog", "DeviceSync", "Schemes", "LogContents",
                "BoardLink", "TextFormats",
            ]),
        module(
            "BoardHealth",
            ["FixedMemory", "Configuration", "DeviceSync", "BoardLink"]),
        // Boards, archives and authorities together, in simulation.
        module(
            "Outbreaks",
            [
                "FixedMemory", "Cryptography", "Schemes", "EncounterLog", "Agent", "FlashSimulator",
                "Simulator", "LogContents", "Archive", "Matching", "Authority", "Exposure", "TextFormats",
            ]),
        // A local web server with the same questions and figures.
        module(
            "Dashboard",
            [
                "FixedMemory", "Cryptography", "LogContents", "Reports",
                .product(
                    name: "Hummingbird", package: "hummingbird",
                    moduleAliases: ["Configuration": "ServerConfigurations"]),
            ]),
        .executableTarget(
            name: "tabardctl",
            dependencies: [
                "CLinux", "FixedMemory", "Cryptography", "Schemes", "EncounterLog", "DeviceSync",
                "Configuration", "TextFormats", "CommandLineText", "Captures", "LogContents", "BoardLink",
                "Archive", "Sync", "KeyFiles", "Matching", "Authority", "Conformance", "Analysis", "Exposure",
                "QRCodes", "Cards", "Backups", "BoardHealth",
                "Reports", "Exports", "Ranging", "ProductVersion", "Dashboard",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ], swiftSettings: settings),

        // Tests: a target per module.
        .target(
            name: "TestSupport", dependencies: ["FixedMemory", "Cryptography", "EncounterLog"],
            path: "Tests/TestSupport",
            swiftSettings: settings),
        tests("FixedMemory"),
        tests("Cryptography", ["FixedMemory"]),
        tests("HCI", ["FixedMemory"]),
        tests("Configuration", ["FixedMemory"]),
        tests("Schemes", ["FixedMemory", "Cryptography"]),
        .testTarget(name: "RangingTests", dependencies: ["Ranging"], swiftSettings: settings),
        .testTarget(
            name: "ExportsTests",
            dependencies: [
                "Exports", "Archive", "EncounterLog", "LogContents", "TextFormats", "TestSupport",
            ],
            swiftSettings: settings
        ),
        .testTarget(name: "ParquetTests", dependencies: ["Parquet"], swiftSettings: settings),
        tests("EncounterLog", ["FixedMemory", "Cryptography", "Schemes", "FlashSimulator"]),
        .testTarget(
            name: "FlashSimulatorTests",
            dependencies: ["FlashSimulator", "FixedMemory", "EncounterLog", "TestSupport"],
            swiftSettings: settings),
        tests("DeviceSync", ["FixedMemory", "Cryptography"]),
        tests("Updates", ["FixedMemory", "Cryptography"]),
        tests("GATT", ["FixedMemory"]),
        tests("Peers", ["FixedMemory", "HCI", "EncounterLog", "Schemes"]),
        tests("Protocols", ["FixedMemory", "HCI", "GATT", "EncounterLog", "Peers", "Schemes"]),
        tests(
            "Agent",
            [
                "FixedMemory", "Cryptography", "HCI", "GATT", "EncounterLog", "Configuration", "Schemes",
                "DeviceSync", "Updates", "Peers", "Protocols", "Radio", "FlashSimulator", "Simulator",
            ]),
        .testTarget(
            name: "AgentTextTests",
            dependencies: [
                "AgentText", "FixedMemory", "HCI", "Configuration", "EncounterLog", "Radio", "Agent",
            ],
            swiftSettings: settings),
        tests("Replay", ["FixedMemory", "HCI", "EncounterLog", "Peers"]),
        tests("BoardPanel", ["FixedMemory", "EncounterLog", "DeviceSync"]),
        tests(
            "LinuxPlatform", ["FixedMemory", "Cryptography", "Configuration", "Schemes"]),
        .testTarget(
            name: "SimulatorTests",
            dependencies: [
                "Simulator", "FixedMemory", "HCI", "Schemes", "EncounterLog", "FlashSimulator", "DeviceSync",
                "Agent", "TestSupport",
            ], swiftSettings: settings),
        .testTarget(
            name: "FormalSimulationTests", dependencies: ["FormalSimulation", "Simulator", "Analysis"],
            swiftSettings: settings),
        .testTarget(name: "DashboardTests", dependencies: ["Dashboard"], swiftSettings: settings),
        tests("TextFormats"),
        .testTarget(
            name: "CommandLineTextTests", dependencies: ["CommandLineText"], swiftSettings: settings),
        .testTarget(
            name: "CapturesTests", dependencies: ["Captures", "FixedMemory", "HCI", "TestSupport"],
            swiftSettings: settings),
        tests(
            "Archive",
            [
                "FixedMemory", "Cryptography", "Schemes", "EncounterLog", "DeviceSync", "LogContents",
                "FlashSimulator", "ArchiveTestSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
            ]),
        // A board's end of a line for the client's tests, and what is in an archive for everybody's.
        .target(
            name: "BoardTestSupport",
            dependencies: [
                "FixedMemory", "CLinux", "Cryptography", "EncounterLog", "DeviceSync", "LogContents",
                "BoardLink", "FlashSimulator",
            ], path: "Tests/BoardTestSupport", swiftSettings: settings),
        .target(
            name: "ArchiveTestSupport",
            dependencies: ["FixedMemory", "EncounterLog", "LogContents", "Archive", "TestSupport"],
            path: "Tests/ArchiveTestSupport", swiftSettings: settings),
        .testTarget(
            name: "BoardLinkTests",
            dependencies: [
                "BoardLink", "FixedMemory", "Cryptography", "DeviceSync", "BoardTestSupport", "TestSupport",
            ],
            swiftSettings: settings),
        tests(
            "Sync",
            [
                "FixedMemory", "Cryptography", "EncounterLog", "DeviceSync", "BoardLink", "Archive",
                "BoardTestSupport", .product(name: "GRDB", package: "GRDB.swift"),
            ]),
        .testTarget(
            name: "BoardHealthTests",
            dependencies: ["BoardHealth", "FixedMemory", "Configuration", "DeviceSync"],
            swiftSettings: settings),
        tests(
            "Backups",
            [
                "FixedMemory", "Cryptography", "DeviceSync", "EncounterLog", "Schemes", "LogContents",
                "BoardLink",
            ]),
        tests("KeyFiles", ["FixedMemory", "Cryptography"]),
        tests("Matching", ["FixedMemory", "Schemes"]),
        tests("Authority", ["FixedMemory", "Cryptography", "Schemes", "Matching", "TextFormats"]),
        tests("Conformance", ["Authority", "TextFormats"]),
        tests("Analysis", ["TextFormats"]),
        tests(
            "Exposure",
            [
                "FixedMemory", "Cryptography", "Schemes", "EncounterLog", "Archive", "Authority",
                "ArchiveTestSupport", "TextFormats",
                .product(name: "GRDB", package: "GRDB.swift"),
            ]),
        // Attacks, each test named for the attacker and the goal (docs/threat-model.md).
        .testTarget(
            name: "AttackTests",
            dependencies: [
                "FixedMemory", "Cryptography", "HCI", "Schemes", "EncounterLog", "DeviceSync", "Peers",
                "GATT", "FlashSimulator", "Simulator", "LogContents", "BoardLink", "Archive", "Sync",
                "CommandLineText", "BoardTestSupport", "TestSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
            ], swiftSettings: settings),
        .testTarget(
            name: "CardsTests",
            dependencies: ["Cards", .product(name: "Yams", package: "Yams")],
            swiftSettings: settings),
        .testTarget(name: "QRCodesTests", dependencies: ["QRCodes"], swiftSettings: settings),
        tests(
            "Reports",
            [
                "FixedMemory", "Cryptography", "Schemes", "EncounterLog", "Archive", "Analysis", "Authority",
                "Exposure", "QRCodes", "LogContents", "ArchiveTestSupport",
            ]),

        .testTarget(
            name: "OutbreaksTests",
            dependencies: ["Outbreaks", "Archive", "Schemes", "FlashSimulator", "Simulator"],
            swiftSettings: settings),
        // Simulated boards, fetched, decoded and reported as real ones are.
        .testTarget(
            name: "RoundTripTests",
            dependencies: [
                "FixedMemory", "Cryptography", "HCI", "Schemes", "EncounterLog", "FlashSimulator",
                "Simulator",
                "LogContents",
                "BoardLink", "Archive", "Sync", "Authority", "Analysis", "Exposure", "Reports",
                "ArchiveTestSupport", "TestSupport",
                .product(name: "Crypto", package: "swift-crypto"),
            ], swiftSettings: settings),

        // `make fuzz`, and in the unit tests the same over the committed corpora.
        .target(
            name: "FuzzTargets",
            dependencies: [
                "FixedMemory", "Cryptography", "HCI", "Configuration", "Schemes", "EncounterLog",
                "FlashSimulator", "DeviceSync", "Updates", "GATT", "Peers", "Protocols", "Agent", "AgentText",
                "Simulator", "Replay", "Analysis", "Authority", "Cards", "TextFormats", "Captures",
                "TestSupport",
            ], path: "Tests/Fuzz/Targets", swiftSettings: settings),
        .testTarget(name: "FuzzTests", dependencies: ["FuzzTargets"], swiftSettings: settings),

        // `make bench`: the scan path beside a floor in C.
        .target(
            name: "ScanBenchmark",
            dependencies: ["FixedMemory", "EncounterLog", "HCI", "Peers", "Radio"],
            path: "Tests/Benchmarks/ScanBenchmark", swiftSettings: settings),
        .executableTarget(
            name: "scan-benchmark", dependencies: ["ScanBenchmark", "CLinux"],
            path: "Tests/Benchmarks/ScanHarness", cSettings: [.headerSearchPath("../Common")]),
        // The same for boards' cryptography, beside plain calls of the library.
        .target(
            name: "CryptographyBenchmark", dependencies: ["FixedMemory", "Cryptography"],
            path: "Tests/Benchmarks/CryptographyBenchmark", swiftSettings: settings),
        .executableTarget(
            name: "cryptography-benchmark", dependencies: ["CryptographyBenchmark", "CLinux", "CMbedTLS"],
            path: "Tests/Benchmarks/CryptographyHarness", cSettings: [.headerSearchPath("../Common")]),
        // The same for very many keys of the schemes, on a computer.
        .executableTarget(
            name: "scheme-benchmark",
            dependencies: ["CLinux", "FixedMemory", "Cryptography", "Schemes", "Matching", "TestSupport"],
            path: "Tests/Benchmarks/SchemeBenchmark", swiftSettings: settings),
    ]
)

// `make docs` sets TABARD_DOCS: only it needs the plug-in, so no other build fetches or loads it.
if Context.environment["TABARD_DOCS"] != nil {
    package.dependencies.append(
        .package(url: "https://github.com/swiftlang/swift-docc-plugin", exact: "1.5.0"))
}
