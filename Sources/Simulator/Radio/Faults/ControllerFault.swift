/// A fault of a controller or of the transport to it.
///
/// Fault model. Each fault has been seen in the field: in the Bluetooth stacks of Raspberry Pi boards, and
/// in the issues of the libraries used on them. An agent can prevent none of them. Each stops a beacon for
/// good unless the agent detects it and recovers.
///
/// A fault begins, and lasts as long as its cause; the agent cannot end it earlier. When the cause has gone,
/// the fault lasts until the agent applies the cure: see ``FaultCure``.
///
/// | fault | effect | usual cure | | --- | --- | --- | | commandTimeout | commands are not answered;
/// reports still come | power cycle | | hardwareError | Hardware Error; state and links are lost; all but
/// Reset is refused (0x0C) | reset | | vanishedAdapter | socket: closes and cannot be opened (ENODEV);
/// UART: silent | reopen | | silence | the scan has ended inside the controller, which answers as if it had
/// not | scan restart | | emptyReports | reports have no data | reset | | duplicateFilter | wrong scan
/// mode: the filter is on although off was requested | scan restart | | scanResponses | wrong scan mode:
/// active although passive was requested | scan restart | | extendedReports | wrong scan mode: extended
/// reports after legacy commands | reset | | disallowedAddress | LE Set Random Address is refused (0x0C) |
/// reset | | disallowedParameters | scan and advertising parameters and data are refused (0x0C) | reset | |
/// rolesStoppedByConnection | a new link ends advertising and scanning, without an event | roles restart |
/// | untoldEndings | no event for the end of a link or of a cancelled attempt | reset | |
/// wedgeWhenConnecting | dead after LE Create Connection while advertising | power cycle | | eventFlood |
/// random addresses and vendor events, thousands a second | by itself | | crowdedReplies | answers to
/// commands come late, after reports, or never | by itself | | duplicateEvents | events come twice, reports
/// too | by itself | | lateEvents | all packets are up to three seconds late | by itself | | muteScan | no
/// reports, and no command shows it | scan restart | | amnesia | all that the host has set is forgotten,
/// now and then | by itself | | restart | the same, with the NOP of a controller that has started | by
/// itself | | scanEnds | the scan ends, now and then, without an event | by itself | | earlyData | data of
/// a new link come before its event | by itself | | strangersAnswers | answers to commands that the host
/// never sent, without credits | by itself | | statusFirst | Command Status without an error before each
/// Command Complete | by itself | | foreignPackets | packets of other kinds, with events in their content |
/// by itself | | refusedConnecting | LE Create Connection is refused (0x0C) | reset | | failedIncoming |
/// Connection Complete of a peer's attempt that failed, and the end of advertising | by itself | |
/// slowReset | Reset takes up to nine seconds | by itself | | unknownRSSI | each report has RSSI 127, "not
/// available" | reset | | corruptedStream | UART: bytes are lost or changed, see below | by itself |
///
/// With corruptedStream, single bytes and bursts are damaged in both directions (``StreamDamage``). A
/// controller that loses synchronisation sends a Hardware Error, and accepts only a reset (``HostStream``).
///
/// Why an agent must cope with each, and where it has been seen:
///
/// - commandTimeout: "command 0x… tx timeout" of the Pi's chips ends only with a power cycle (BT_REG_ON),
///   and nobody is there to do it.
/// - hardwareError: the event exists because controllers' firmware fails (Bluetooth Core 5.4, Vol 4, Part
///   E, 7.7.16).
/// - vanishedAdapter: a dongle is pulled or a UART is reset. The socket of a user channel ends with its
///   adapter.
/// - silence: scanners of the Pi 3 and 4 stop for good after hours or days (home-assistant/core #84046,
///   #142656).
/// - emptyReports, unknownRSSI: reports continue without content, in the same threads; counting reports is
///   not enough.
/// - duplicateFilter: RSSI readings and changed payloads vanish (hbldh/bleak #235), in some stacks
///   regardless of the request.
/// - scanResponses, extendedReports: another host left the controller so, or its firmware mixes both
///   command sets.
/// - disallowedAddress, disallowedParameters: refused while scanning or advertising is on, which the host
///   may not know (bluez/bluez #2527, noble/noble #204).
/// - rolesStoppedByConnection: advertising ends by rule, scanning with several chips (noble/noble #223).
/// - untoldEndings: a requested disconnection is never confirmed, and all work waits (apache/mynewt-nimble
///   #890). Only the missing event reveals it.
/// - wedgeWhenConnecting: BCM4345C0 of the Pi 4 (Sentry-USB-Rusty #121, #128). The agent never connects
///   while advertising; this fault shows that.
/// - eventFlood: a station at rush hour, or an attacker who wants the beacon to fail.
/// - crowdedReplies: reports use up the buffers of replies (apache/mynewt-nimble #2299).
/// - duplicateEvents, lateEvents: a loaded machine, and drivers that repeat events whose delivery is
///   uncertain.
/// - muteScan: as silence; no agent can tell it from a group of people that has left.
/// - amnesia, restart, scanEnds: a controller whose firmware or power has failed for a moment; a chip that
///   lost its patch. Some send a NOP when they start (Bluetooth Core 5.4, Vol 4, Part E, 4.4).
/// - earlyData: USB carries events and data in different pipes.
/// - strangersAnswers: other programs on the adapter, and answers that come twice.
/// - statusFirst: controllers that acknowledge each command first.
/// - foreignPackets: audio and diagnostics of the same chip.
/// - refusedConnecting, failedIncoming: a controller that believes that it is still connecting.
/// - slowReset: firmware that is loaded at each reset.
/// - corruptedStream: a Pi 3 of revision 1.2 has no flow control on its UART (raspberrypi/firmware #1150,
///   linux #2264).
public enum ControllerFault: UInt8, CaseIterable, Sendable {
    case commandTimeout, hardwareError, vanishedAdapter, silence, emptyReports
    case duplicateFilter, scanResponses, extendedReports
    case disallowedAddress, disallowedParameters, rolesStoppedByConnection, wedgeWhenConnecting
    case eventFlood, crowdedReplies, duplicateEvents, lateEvents, unknownRSSI, corruptedStream
    case untoldEndings
    case muteScan, amnesia, restart, scanEnds, earlyData, strangersAnswers, statusFirst, foreignPackets
    case refusedConnecting, failedIncoming, slowReset

    public var usualCure: FaultCure {
        switch self {
        case .eventFlood, .crowdedReplies, .duplicateEvents, .lateEvents, .corruptedStream, .amnesia,
            .restart, .scanEnds, .earlyData, .strangersAnswers, .statusFirst, .foreignPackets,
            .failedIncoming, .slowReset:
            .byItself
        case .silence, .muteScan, .duplicateFilter, .scanResponses: .scanRestart
        case .rolesStoppedByConnection: .rolesRestart
        case .hardwareError, .emptyReports, .extendedReports, .disallowedAddress, .disallowedParameters,
            .unknownRSSI, .untoldEndings, .refusedConnecting:
            .reset
        case .vanishedAdapter: .reopen
        case .commandTimeout, .wedgeWhenConnecting: .powerCycle
        }
    }

    /// The cures that can work. A controller that accepts no commands cannot be cured by a command.
    public var possibleCures: [FaultCure] {
        switch self {
        case .eventFlood, .crowdedReplies, .duplicateEvents, .lateEvents, .corruptedStream, .amnesia,
            .restart, .scanEnds, .earlyData, .strangersAnswers, .statusFirst, .foreignPackets,
            .failedIncoming, .slowReset:
            [.byItself]
        // After a silence the agent resets the controller once, and again hours later.
        case .muteScan: [.byItself, .scanRestart, .rolesRestart]
        case .hardwareError: [.reset, .reopen, .powerCycle]
        case .vanishedAdapter: [.reopen, .powerCycle]
        case .commandTimeout, .wedgeWhenConnecting: [.byItself, .reset, .reopen, .powerCycle]
        case .rolesStoppedByConnection: [.rolesRestart]
        case .silence, .duplicateFilter, .scanResponses:
            [.byItself, .scanRestart, .rolesRestart, .reset, .reopen, .powerCycle]
        case .emptyReports, .extendedReports, .unknownRSSI, .untoldEndings, .refusedConnecting:
            [.byItself, .reset, .reopen, .powerCycle]
        case .disallowedAddress, .disallowedParameters: [.byItself, .reset, .reopen, .powerCycle]
        }
    }

    /// Whether a board with this fault receives nothing, or nothing of use.
    public var blinds: Bool {
        switch self {
        case .hardwareError, .vanishedAdapter, .silence, .muteScan, .emptyReports, .extendedReports,
            .rolesStoppedByConnection, .wedgeWhenConnecting, .amnesia, .restart, .scanEnds:
            true
        default: false
        }
    }

    /// Whether the fault is a mishap that happens now and then while its cause lasts.
    var isOfMoments: Bool {
        switch self {
        case .amnesia, .restart, .scanEnds, .strangersAnswers, .foreignPackets, .failedIncoming: true
        default: false
        }
    }

    /// Whether reports still come but RSSI readings are lost, because the reports are useless or
    /// incomplete.
    var spoilsReadings: Bool {
        switch self {
        case .emptyReports, .unknownRSSI, .extendedReports, .duplicateFilter: true
        default: false
        }
    }
}
