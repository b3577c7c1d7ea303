/// What can be wrong with a controller or the way to it.
///
/// Fault model. Each fault has been seen in the field (the Bluetooth stacks of Raspberry Pi boards, and the issues of
/// the libraries that people use on them), none can be prevented by an agent, and each stops a beacon for good unless
/// the agent notices and does something. So it must.
///
/// A fault begins, and goes on while its cause lasts, whatever the agent does. When its cause has gone, it lasts until
/// the agent does what cures it: see ``FaultCure``.
///
/// | fault | what happens | usual cure |
/// | --- | --- | --- |
/// | commandTimeout | commands are not answered; reports still come | power cycle |
/// | hardwareError | Hardware Error, roles and links are gone, all but Reset is refused (0x0C) | reset |
/// | vanishedAdapter | packets: the transport closes and cannot be opened (ENODEV); UART: nothing comes | reopen |
/// | silence | no reports; commands are answered | scan restart |
/// | emptyReports | reports have no data | reset |
/// | duplicateFilter | a wrong scan mode: the filter is on though off was asked for | scan restart |
/// | scanResponses | a wrong scan mode: active, though passive was asked for | scan restart |
/// | extendedReports | a wrong scan mode: extended reports after legacy commands | reset |
/// | disallowedAddress | LE Set Random Address is refused (0x0C) | reset |
/// | disallowedParameters | parameters and data of scanning and advertising are refused (0x0C) | reset |
/// | rolesStoppedByConnection | when a link begins, advertising and scanning end, and nobody says so | roles restart |
/// | untoldEndings | nobody is told that a link has ended, or a cancelled attempt at one | reset |
/// | wedgeWhenConnecting | LE Create Connection while advertising: dead from then on | power cycle |
/// | eventFlood | reports of random addresses and vendor events, thousands a second | by itself |
/// | crowdedReplies | answers to commands come late behind reports, or never | by itself |
/// | duplicateEvents | events come twice, reports too | by itself |
/// | lateEvents | everything comes up to three seconds late | by itself |
/// | unknownRSSI | each report says 127, "not available" | reset |
/// | corruptedStream | UART: bytes get lost and change, singly and many in a row, both ways (``StreamDamage``); a controller that has lost its place says Hardware Error, and takes a reset and nothing else (``HostStream``) | by itself |
///
/// Why an agent must live with each, and where it has been seen:
///
/// - commandTimeout: "command 0x… tx timeout" of the Pi's chips ends only when power is taken (BT_REG_ON), and nobody is
///   there to do it.
/// - hardwareError: the event exists because controllers' firmware fails (Bluetooth Core 5.4, Vol 4, Part E, 7.7.16).
/// - vanishedAdapter: a dongle is pulled, a UART is reset; the socket of a user channel ends with its adapter.
/// - silence: scanners of the Pi 3 and 4 stop for good after hours or days (home-assistant/core #84046, #142656).
/// - emptyReports, unknownRSSI: reports go on and say nothing, in the same threads; counting reports is not enough.
/// - duplicateFilter: readings and changed payloads vanish (hbldh/bleak #235), in some stacks whatever is asked for.
/// - scanResponses, extendedReports: the controller was left so by another host, or by firmware that mixes both sets.
/// - disallowedAddress, disallowedParameters: refused while a role is on, of which the host need not know
///   (bluez/bluez #2527, noble/noble #204).
/// - rolesStoppedByConnection: advertising ends by rule, scanning with several chips (noble/noble #223).
/// - untoldEndings: a disconnection that was asked for is never confirmed, and all stands still
///   (apache/mynewt-nimble #890): nothing but its absence tells.
/// - wedgeWhenConnecting: BCM4345C0 of the Pi 4 (Sentry-USB-Rusty #121, #128): the agent never does it, and this shows.
/// - eventFlood: a station at rush hour; or somebody who wants the beacon to fail.
/// - crowdedReplies: reports use up the buffers of replies (apache/mynewt-nimble #2299).
/// - duplicateEvents, lateEvents: a loaded machine, and drivers that repeat what they are not sure to have told.
/// - corruptedStream: a Pi 3 of revision 1.2 has no flow control on its UART (raspberrypi/firmware #1150, linux #2264).
public enum ControllerFault: UInt8, CaseIterable, Sendable {
    case commandTimeout, hardwareError, vanishedAdapter, silence, emptyReports
    case duplicateFilter, scanResponses, extendedReports
    case disallowedAddress, disallowedParameters, rolesStoppedByConnection, wedgeWhenConnecting
    case eventFlood, crowdedReplies, duplicateEvents, lateEvents, unknownRSSI, corruptedStream
    case untoldEndings

    public var usualCure: FaultCure {
        switch self {
        case .eventFlood, .crowdedReplies, .duplicateEvents, .lateEvents, .corruptedStream: .byItself
        case .silence, .duplicateFilter, .scanResponses: .scanRestart
        case .rolesStoppedByConnection: .rolesRestart
        case .hardwareError, .emptyReports, .extendedReports, .disallowedAddress, .disallowedParameters,
            .unknownRSSI, .untoldEndings:
            .reset
        case .vanishedAdapter: .reopen
        case .commandTimeout, .wedgeWhenConnecting: .powerCycle
        }
    }

    /// The cures that make sense: a controller that does not take commands cannot be cured by one.
    public var possibleCures: [FaultCure] {
        switch self {
        case .eventFlood, .crowdedReplies, .duplicateEvents, .lateEvents, .corruptedStream: [.byItself]
        case .hardwareError: [.reset, .reopen, .powerCycle]
        case .vanishedAdapter: [.reopen, .powerCycle]
        case .commandTimeout, .wedgeWhenConnecting: [.byItself, .reset, .reopen, .powerCycle]
        case .rolesStoppedByConnection: [.rolesRestart]
        case .silence, .duplicateFilter, .scanResponses:
            [.byItself, .scanRestart, .rolesRestart, .reset, .reopen, .powerCycle]
        case .emptyReports, .extendedReports, .unknownRSSI, .untoldEndings:
            [.byItself, .reset, .reopen, .powerCycle]
        case .disallowedAddress, .disallowedParameters: [.byItself, .reset, .reopen, .powerCycle]
        }
    }

    /// Whether a board with this fault hears nobody, or nothing that is of use.
    public var blinds: Bool {
        switch self {
        case .hardwareError, .vanishedAdapter, .silence, .emptyReports, .extendedReports,
            .rolesStoppedByConnection, .wedgeWhenConnecting:
            true
        default: false
        }
    }

    /// Whether reports come and readings are lost all the same: they are of no use, or not all are told.
    var spoilsReadings: Bool {
        switch self {
        case .emptyReports, .unknownRSSI, .extendedReports, .duplicateFilter: true
        default: false
        }
    }
}
