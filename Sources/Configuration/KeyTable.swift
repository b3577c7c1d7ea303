extension ConfigurationKey {
    /// The table of keys: the only definition of each key's name, accepted values and purpose. Reading,
    /// checking, the help text and docs/configuration.md use it. The defaults are in ``AgentConfiguration``.
    var definition: KeyDefinition {
        switch self {
        case .role:
            KeyDefinition(
                .agent, "role", .role,
                "what the board is: the beacon of a venue, or worn by somebody",
                remedy: "write \"beacon\" or \"wearable\"")
        case .position:
            KeyDefinition(
                .agent, "position", .position,
                "where a beacon stands, for those who read its log: latitude and longitude in degrees, WGS 84",
                remedy: "write for example \"51.507351, -0.127758\", with six decimals at most, or \"\"")

        case .hci:
            KeyDefinition(
                .radio, "hci", .transport, "where the Bluetooth controller is",
                remedy: """
                    write hciN, hci:usb, hci:uart, hci@ADDRESS, unix:PATH, unix-seqpacket:PATH, \
                    tcp-client:ADDRESS:PORT, serial:DEVICE,BAUD or serial:DEVICE,BAUD,rtscts
                    """)
        case .scan:
            KeyDefinition(
                .radio, "scan", .boolean, "listen for peers",
                remedy: "write true or false")
        case .advertise:
            KeyDefinition(
                .radio, "advertise", .boolean,
                "be visible to peers; if not, tell them who we are by writing to them",
                remedy: "write true or false")
        case .extendedCommands:
            KeyDefinition(
                .radio, "extended_commands", .boolean,
                "use the extended commands of Bluetooth 5, where the controller has them; adverts stay such as every phone hears",
                remedy: "write true or false")
        case .address:
            KeyDefinition(
                .radio, "address", .address,
                "a beacon's static random address; empty to derive one from the log's identity",
                remedy: "write six pairs of hexadecimal digits of which the first is C0 to FF, or \"\"")
        case .advertisingInterval:
            KeyDefinition(
                .radio, "advertising_interval_milliseconds", .integer(from: 20, through: 10240),
                "time between adverts",
                remedy: "write a whole number in that range; phones find 250 and less soonest")
        case .scanInterval:
            KeyDefinition(
                .radio, "scan_interval_milliseconds", .integer(from: 3, through: 10240),
                "time from one scan window to the next",
                remedy: "write a whole number in that range")
        case .scanWindow:
            KeyDefinition(
                .radio, "scan_window_milliseconds", .integer(from: 3, through: 10240),
                "how much of each scan interval is spent listening",
                remedy: "write a whole number in that range, at most the scan interval")
        case .txPower:
            KeyDefinition(
                .radio, "tx_power_dbm", .integer(from: -127, through: 20),
                "the transmit power that adverts state",
                remedy: "write the controller's transmit power in whole dBm")

        case .power:
            KeyDefinition(
                .radio, "power", .radioPower,
                "how to take the controller's power and give it back when nothing milder revives it",
                remedy: "write none, rfkill, or rebind:DRIVER,DEVICE with the driver's directory in /sys")
        case .giveUp:
            KeyDefinition(
                .radio, "give_up_minutes", .integer(from: 0, through: 1440),
                "end with exit code 69 when the controller cannot be brought up for so long; 0 for never",
                remedy: "write a whole number of minutes, or 0")

        case .country:
            KeyDefinition(
                .herald, "country", .integer(from: 1, through: 999), "ISO 3166-1 numeric country",
                remedy: "write the country's three-digit ISO 3166-1 number without leading zeros, such as 826"
            )
        case .state:
            KeyDefinition(
                .herald, "state", .integer(from: 0, through: 65535),
                "state within the country; 0 for all of it",
                remedy: "write the number the health authority gave the state, or 0")
        case .location:
            KeyDefinition(
                .herald, "location", .integer(from: 0, through: 4_294_967_295),
                "the venue's number within the state; a beacon must have one, or client_id",
                remedy: "write the number under which the venue is registered")
        case .clientIdentifier:
            KeyDefinition(
                .herald, "client_id", .integer(from: 0, through: 9_007_199_254_740_991),
                "a beacon that stands for no venue: the device's number, shown for good as Herald's fixed payload",
                remedy: "write a number that no other device in the state has")
        case .name:
            KeyDefinition(
                .herald, "name", .text, "name of the premises, shown to visitors",
                remedy: "write a short name on one line; the four texts share 501 bytes")
        case .area:
            KeyDefinition(
                .herald, "area", .text, "area within the premises",
                remedy: "write a short name on one line; the four texts share 501 bytes")
        case .disambiguation:
            KeyDefinition(
                .herald, "disambiguation", .text, "what tells areas of the same name apart",
                remedy: "write a short text on one line; the four texts share 501 bytes")
        case .url:
            KeyDefinition(
                .herald, "url", .webAddress, "web address for visitors",
                remedy: "write an address that begins with https://, or \"\"; the four texts share 501 bytes")
        case .secret:
            KeyDefinition(
                .herald, "secret", .path(mayBeEmpty: false),
                "file of the keys of days that a wearable's identities follow from; made if it is not there",
                remedy: "write the path of a file in a directory that exists")
        case .writeBack:
            KeyDefinition(
                .herald, "write_back_seconds", .integer(from: 15, through: 3600),
                "how often a board that does not advertise tells a peer near by how it hears it",
                remedy: "write whole seconds; Herald's phones do so every 15 at most")
        case .sharePayloads:
            KeyDefinition(
                .herald, "share_payloads", .boolean,
                "tell iPhones, which cannot see each other in the background, whom else we have heard",
                remedy: "write true or false")
        case .askModel:
            KeyDefinition(
                .herald, "ask_model", .boolean,
                "ask each device for its model and maker, once, in the link that reads its payload",
                remedy: "write true or false")
        case .wakeIPhones:
            KeyDefinition(
                .herald, "wake_iphones", .boolean,
                "after a minute of silence write an iPhone an empty message, so that its app in the background goes on",
                remedy: "write true or false")

        case .sonar:
            KeyDefinition(
                .schemes, "sonar", .schemeRole(through: .on),
                "read phones of NHSX's Sonar; on: be one, too, with the registration beside the keys' file",
                remedy: roleRemedy)
        case .covidTracer:
            KeyDefinition(
                .schemes, "covid_tracer", .schemeRole(through: .on),
                "read phones of CovidTracer; on: be one, too", remedy: roleRemedy)
        case .bleProximity:
            KeyDefinition(
                .schemes, "ble_proximity", .schemeRole(through: .on),
                "read phones of BLE-Proximity; on: be one, too, and write to them who we are",
                remedy: roleRemedy)
        case .exposureNotification:
            KeyDefinition(
                .schemes, "exposure_notification", .schemeRole(through: .on),
                "record phones of Exposure Notification by their rolling identifiers; on: advertise our own",
                remedy: roleRemedy)
        case .relatives:
            KeyDefinition(
                .schemes, "relatives", .schemeRole(through: .listen),
                "record devices that advertise BlueTrace, DP-3T, ROBERT or TCN, by what their adverts say",
                remedy: "write \"off\" or \"listen\"")
        case .sonarPeriod:
            KeyDefinition(
                .schemes, "sonar_period_minutes", .integer(from: 1, through: 1440),
                "how long Sonar's value stays the same; phones have a day, in which anybody can follow it",
                remedy: "write whole minutes")
        case .bleProximityPeriod:
            KeyDefinition(
                .schemes, "ble_proximity_period_minutes", .integer(from: 1, through: 1440),
                "how long an identity in BLE-Proximity lasts", remedy: "write whole minutes")
        case .covidTracerProbe:
            KeyDefinition(
                .schemes, "covid_tracer_probe_dbm", .integer(from: -127, through: 20),
                "whose adverts say nothing, as those of CovidTracer's phones, is only asked who it is when heard at least so strong",
                remedy: "write whole dBm, such as -85; more asks only those nearer by")
        case .sample:
            KeyDefinition(
                .encounters, "sample_seconds", .integer(from: 1, through: 30),
                "length of the buckets of time into which RSSI readings are gathered",
                remedy: "write whole seconds, at most gap_seconds")
        case .gap:
            KeyDefinition(
                .encounters, "gap_seconds", .integer(from: 1, through: 30),
                "an encounter ends after this time without a reading",
                remedy: "write whole seconds; Herald allows no contact to be stretched by more than 30")
        case .peers:
            KeyDefinition(
                .encounters, "peers", .integer(from: 1, through: 65535),
                "room for peers in range at one time",
                remedy: "write a whole number in that range; memory for all of them is taken at the start")
        case .links:
            KeyDefinition(
                .encounters, "links", .integer(from: 1, through: 16), "connections kept at one time",
                remedy: "write a whole number in that range; few controllers keep more than 8")
        case .dropWeakestLink:
            KeyDefinition(
                .encounters, "drop_weakest_link", .boolean,
                "when there are as many connections as may be, end the one heard weakest, not the oldest",
                remedy: "write true or false")
        case .raw:
            KeyDefinition(
                .encounters, "raw", .boolean,
                "write every RSSI reading into the log, beside the samples: some 3 bytes each",
                remedy: "write true or false")

        case .logPath:
            KeyDefinition(
                .log, "path", .path(mayBeEmpty: false),
                "file that holds the log, or a block or MTD character device",
                remedy: "write the path of a file in a directory that exists, or of a device")
        case .logSize:
            KeyDefinition(
                .log, "size_mebibytes", .integer(from: 0, through: 2047),
                "size of a log that is made anew, where log.path is a file; the oldest entries make room for new ones; 0 for as much as 28 days take, each loss window a page",
                remedy: "write a whole number of mebibytes (1 MiB is 1048576 bytes), or 0")
        case .lossWindow:
            KeyDefinition(
                .log, "loss_window_seconds", .integer(from: 1, through: 3600),
                "how much a power cut may cost; shorter wears the card more",
                remedy: "write whole seconds, at least sample_seconds")
        case .retention:
            KeyDefinition(
                .log, "retention_days", .integer(from: 0, through: 180),
                "erase what is older, fetched or not; 0 to keep it until its room is needed",
                remedy: "write whole days, or 0")

        case .keysPath:
            KeyDefinition(
                .keys, "path", .path(mayBeEmpty: true),
                "file of the board's keys, made if it is not there; empty: log.path with .keys behind it",
                remedy: "write the path of a file in a directory that exists")

        case .syncPort:
            KeyDefinition(
                .sync, "port", .syncPort, "serial port over which logs are handed over; empty for none",
                remedy: "write the path of a serial device such as \"/dev/ttyGS0\", \"pty:LINK\", or \"\"")
        case .syncBaud:
            KeyDefinition(
                .sync, "baud", .baudRate, "the port's speed; means nothing to a USB gadget or pty",
                remedy: "write a speed that serial ports have, such as 115200 or 921600")

        case .snoopFile:
            KeyDefinition(
                .snoop, "file", .path(mayBeEmpty: true), "btsnoop file for all HCI traffic; empty for none",
                remedy: "write the path of a file, or \"\"")
        }
    }

    private var roleRemedy: StaticString { "write \"off\", \"listen\" or \"on\"" }
}
