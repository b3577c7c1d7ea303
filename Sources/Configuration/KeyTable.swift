extension ConfigurationKey {
    /// The table of keys: the only definition of each key's name, accepted values and purpose. Reading,
    /// checking, the help text and docs/configuration.md use it. The defaults are in ``AgentConfiguration``.
    var definition: KeyDefinition {
        switch self {
        case .role:
            KeyDefinition(
                .agent, "role", .role,
                "use of the board: a beacon at a venue, or a wearable",
                remedy: "write \"beacon\" or \"wearable\"")
        case .boardName:
            KeyDefinition(
                .agent, "name", .text, "name of the board in an archive that has none for it",
                remedy: "write a short name on one line")
        case .position:
            KeyDefinition(
                .agent, "position", .position,
                "position of a beacon in its log: latitude and longitude, WGS 84 degrees",
                remedy: "write for example \"51.507351, -0.127758\", with six decimals at most, or \"\"")

        case .hci:
            KeyDefinition(
                .radio, "hci", .transport, "transport to the Bluetooth controller",
                remedy: """
                    write hciN, hci:usb, hci:uart, hci@ADDRESS, unix:PATH, unix-seqpacket:PATH, \
                    tcp-client:ADDRESS:PORT, serial:DEVICE,BAUD or serial:DEVICE,BAUD,rtscts
                    """)
        case .scan:
            KeyDefinition(
                .radio, "scan", .boolean, "scan for peers",
                remedy: "write true or false")
        case .advertise:
            KeyDefinition(
                .radio, "advertise", .boolean,
                "advertise to peers; without it the board writes its identity to them",
                remedy: "write true or false")
        case .extendedCommands:
            KeyDefinition(
                .radio, "extended_commands", .boolean,
                "use the extended commands of Bluetooth 5 if supported; adverts stay legacy",
                remedy: "write true or false")
        case .address:
            KeyDefinition(
                .radio, "address", .address,
                "a beacon's address; public: the controller's; empty: from the log identity",
                remedy:
                    "write six pairs of hexadecimal digits of which the first is C0 to FF, \"public\" or \"\""
            )
        case .advertisingInterval:
            KeyDefinition(
                .radio, "advertising_interval_milliseconds", .integer(from: 20, through: 10240),
                "advertising interval",
                remedy: "write a whole number in that range; phones find a board fastest at 250 or less")
        case .scanInterval:
            KeyDefinition(
                .radio, "scan_interval_milliseconds", .integer(from: 3, through: 10240),
                "scan interval: time from one scan window to the next",
                remedy: "write a whole number in that range")
        case .scanWindow:
            KeyDefinition(
                .radio, "scan_window_milliseconds", .integer(from: 3, through: 10240),
                "scan window: listening time in each scan interval",
                remedy: "write a whole number in that range, at most the scan interval")
        case .duty:
            KeyDefinition(
                .radio, "duty", .scanDuty,
                "listening time; balanced, saver: less while nobody identified is near",
                remedy: "write \"continuous\", \"balanced\", \"saver\" or \"custom\"")
        case .quietScanInterval:
            KeyDefinition(
                .radio, "quiet_scan_interval_milliseconds", .integer(from: 3, through: 10240),
                "scan interval while nobody identified is near, if duty is custom",
                remedy: "write a whole number in that range")
        case .quietScanWindow:
            KeyDefinition(
                .radio, "quiet_scan_window_milliseconds", .integer(from: 3, through: 10240),
                "scan window for the same",
                remedy: "write a whole number in that range, at most the quiet scan interval")
        case .txPower:
            KeyDefinition(
                .radio, "tx_power_dbm", .integer(from: -127, through: 20),
                "transmit power that adverts state",
                remedy: "write the controller's transmit power in whole dBm")

        case .power:
            KeyDefinition(
                .radio, "power", .radioPower,
                "how to power-cycle the controller as the last recovery step",
                remedy: "write none, rfkill, or rebind:DRIVER,DEVICE with the driver's directory in /sys")
        case .giveUp:
            KeyDefinition(
                .radio, "give_up_minutes", .integer(from: 0, through: 1440),
                "exit with code 69 if the controller stays down for this time; 0 for never",
                remedy: "write a whole number of minutes, or 0")

        case .country:
            KeyDefinition(
                .herald, "country", .integer(from: 1, through: 999), "ISO 3166-1 numeric country code",
                remedy: "write the country's three-digit ISO 3166-1 number without leading zeros, such as 826"
            )
        case .state:
            KeyDefinition(
                .herald, "state", .integer(from: 0, through: 65535),
                "state within the country; 0 for the whole country",
                remedy: "write the number the health authority gave the state, or 0")
        case .location:
            KeyDefinition(
                .herald, "location", .integer(from: 0, through: 4_294_967_295),
                "number of the venue in the state; a beacon needs this or client_id",
                remedy: "write the number under which the venue is registered")
        case .clientIdentifier:
            KeyDefinition(
                .herald, "client_id", .integer(from: 0, through: 9_007_199_254_740_991),
                "number of a beacon without a venue, served as Herald's fixed payload",
                remedy: "write a number that no other device in the state has")
        case .name:
            KeyDefinition(
                .herald, "name", .text, "name of the premises, for visitors",
                remedy: "write a short name on one line; the four texts share 501 bytes")
        case .area:
            KeyDefinition(
                .herald, "area", .text, "area within the premises",
                remedy: "write a short name on one line; the four texts share 501 bytes")
        case .disambiguation:
            KeyDefinition(
                .herald, "disambiguation", .text, "suffix that distinguishes areas of the same name",
                remedy: "write a short text on one line; the four texts share 501 bytes")
        case .url:
            KeyDefinition(
                .herald, "url", .webAddress, "web address for visitors",
                remedy: "write an address that begins with https://, or \"\"; the four texts share 501 bytes")
        case .secret:
            KeyDefinition(
                .herald, "secret", .path(mayBeEmpty: false),
                "file of a wearable's day keys; created if it does not exist",
                remedy: "write the path of a file in a directory that exists")
        case .writeBack:
            KeyDefinition(
                .herald, "write_back_seconds", .integer(from: 15, through: 3600),
                "period of writing the RSSI to each peer if the board does not advertise",
                remedy: "write whole seconds; phones with Herald use 15")
        case .sharePayloads:
            KeyDefinition(
                .herald, "share_payloads", .boolean,
                "send iPhones the payloads of other devices, which background apps miss",
                remedy: "write true or false")
        case .askModel:
            KeyDefinition(
                .herald, "ask_model", .boolean,
                "read each device's model and maker once, with its payload",
                remedy: "write true or false")
        case .wakeIPhones:
            KeyDefinition(
                .herald, "wake_iphones", .boolean,
                "wake an iPhone's background app by an empty message after a silent minute",
                remedy: "write true or false")

        case .sonar:
            KeyDefinition(
                .schemes, "sonar", .schemeRole(through: .on),
                "NHSX Sonar; listen: read phones; on: also take part, with a registration",
                remedy: roleRemedy)
        case .covidTracer:
            KeyDefinition(
                .schemes, "covid_tracer", .schemeRole(through: .on),
                "CovidTracer; listen: read phones; on: also take part", remedy: roleRemedy)
        case .bleProximity:
            KeyDefinition(
                .schemes, "ble_proximity", .schemeRole(through: .on),
                "BLE-Proximity; listen: read phones; on: also take part and write to them",
                remedy: roleRemedy)
        case .exposureNotification:
            KeyDefinition(
                .schemes, "exposure_notification", .schemeRole(through: .on),
                "Exposure Notification; listen: record identifiers; on: also advertise",
                remedy: roleRemedy)
        case .otherSchemes:
            KeyDefinition(
                .schemes, "other", .schemeRole(through: .listen),
                "BlueTrace, DP-3T, ROBERT and TCN; listen: record what devices advertise",
                remedy: "write \"off\" or \"listen\"")
        case .sonarPeriod:
            KeyDefinition(
                .schemes, "sonar_period_minutes", .integer(from: 1, through: 1440),
                "lifetime of the board's Sonar value; phones use one trackable day",
                remedy: "write whole minutes")
        case .bleProximityPeriod:
            KeyDefinition(
                .schemes, "ble_proximity_period_minutes", .integer(from: 1, through: 1440),
                "lifetime of a BLE-Proximity identity", remedy: "write whole minutes")
        case .covidTracerProbe:
            KeyDefinition(
                .schemes, "covid_tracer_probe_dbm", .integer(from: -127, through: 20),
                "minimum RSSI to connect to a device whose adverts carry no identification",
                remedy: "write whole dBm, such as -85; a higher value probes only nearer devices")
        case .sample:
            KeyDefinition(
                .encounters, "sample_seconds", .integer(from: 1, through: 30),
                "length of the samples that group RSSI readings",
                remedy: "write whole seconds, at most gap_seconds")
        case .gap:
            KeyDefinition(
                .encounters, "gap_seconds", .integer(from: 1, through: 30),
                "encounter timeout: an encounter ends after this time without a reading",
                remedy: "write whole seconds; Herald allows at most 30")
        case .peers:
            KeyDefinition(
                .encounters, "peers", .integer(from: 1, through: 65535),
                "capacity of the peer table: peers in range at one time",
                remedy: "write a whole number in that range; the agent allocates the table at start")
        case .links:
            KeyDefinition(
                .encounters, "links", .integer(from: 1, through: 16),
                "maximum number of simultaneous connections",
                remedy: "write a whole number in that range; few controllers support more than 8")
        case .dropWeakestLink:
            KeyDefinition(
                .encounters, "drop_weakest_link", .boolean,
                "at the connection limit, close the weakest link instead of the oldest",
                remedy: "write true or false")
        case .raw:
            KeyDefinition(
                .encounters, "raw", .boolean,
                "log every RSSI reading beside the samples, about 3 bytes each",
                remedy: "write true or false")

        case .logPath:
            KeyDefinition(
                .log, "path", .path(mayBeEmpty: false),
                "log file, or a block or MTD character device",
                remedy: "write the path of a file in a directory that exists, or of a device")
        case .logSize:
            KeyDefinition(
                .log, "size_mebibytes", .integer(from: 0, through: 2047),
                "size of a new log file, overwritten in a ring; 0: room for 28 days",
                remedy: "write a whole number of mebibytes (1 MiB is 1048576 bytes), or 0")
        case .lossWindow:
            KeyDefinition(
                .log, "loss_window_seconds", .integer(from: 1, through: 3600),
                "maximum time lost in a power cut; shorter wears the card more",
                remedy: "write whole seconds, at least sample_seconds")
        case .retention:
            KeyDefinition(
                .log, "retention_days", .integer(from: 0, through: 180),
                "erase older segments, fetched or not; 0: keep until space runs out",
                remedy: "write whole days, or 0")

        case .keysPath:
            KeyDefinition(
                .keys, "path", .path(mayBeEmpty: true),
                "file of the board's keys, created if missing; empty: log.path plus .keys",
                remedy: "write the path of a file in a directory that exists")

        case .syncPort:
            KeyDefinition(
                .sync, "port", .syncPort, "serial port that serves the log; empty: none",
                remedy: "write the path of a serial device such as \"/dev/ttyGS0\", \"pty:LINK\", or \"\"")
        case .syncBaud:
            KeyDefinition(
                .sync, "baud", .baudRate, "speed of the port in bit/s; a USB gadget or pty ignores it",
                remedy: "write a serial port speed, such as 115200 or 921600")

        case .snoopFile:
            KeyDefinition(
                .snoop, "file", .path(mayBeEmpty: true), "btsnoop file for all HCI traffic; empty: none",
                remedy: "write the path of a file, or \"\"")
        }
    }

    private var roleRemedy: StaticString { "write \"off\", \"listen\" or \"on\"" }
}
