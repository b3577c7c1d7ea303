import Captures
import CommandLineText

extension Failure {
    /// - Parameter path: the file, with the entry if it is a zip file.
    init(_ error: CaptureError, _ path: String) {
        self.init(.data, "\(path): \(CaptureErrorText.text(error))")
    }
}

/// Sentences about files that cannot be converted: what each is, and what to do.
enum CaptureErrorText {
    private static let captureAnew =
        "capture on the host instead, with `btmon -w FILE` or Wireshark's interface bluetooth-monitor"

    static func text(_ error: CaptureError) -> String {
        switch error {
        case .notCapture(let file): text(file)
        case .modifiedPcap:
            "pcap of a patched kernel; convert it with `editcap -F pcap FILE NEW` first"
        case .btsnoopVersion(let version): "btsnoop version \(version); only version 1 exists"
        case .btsnoopDatalink(let number): datalink(number)
        case .linkType(let number): linkType(number)
        case .damaged(let damage, let offset):
            "damaged at byte \(offset): \(text(damage)); the rest was not converted"
        case .packedDataDamaged(let offset):
            "the compressed data is damaged after \(offset) unpacked bytes; copy the file again"
        case .tooLong: "longer than 4 GiB when unpacked; the rest was not converted"
        }
    }

    private static func text(_ damage: CaptureError.Damage) -> String {
        switch damage {
        case .longRecord(let length): "a record claims \(length) bytes"
        case .impossibleLength(let length): "a record has the impossible length \(length)"
        case .unknownInterface(let number):
            "a packet of interface \(number), which the file does not describe"
        case .unequalLengths(let first, let second):
            "a block has the lengths \(first) and \(second) at its ends"
        case .byteOrder: "a section has no byte order"
        }
    }

    private static func text(_ file: ForeignFile) -> String {
        switch file {
        case .empty: "an empty file; capture again"
        case .cutHeader: "a capture that ends within its header; capture again, or copy the file again"
        case .html: "a web page, not a capture; download the file itself"
        case .lfsPointer: "a pointer of Git LFS, not the capture; fetch the file with `git lfs pull`"
        case .btsnooz:
            "a bug report in text; unpack the capture in it with Android's btsnooz.py, then convert that"
        case .text: "a text file, not a capture; save the capture as btsnoop, pcapng or PacketLogger file"
        case .snoop: "a network capture of Solaris (snoop), which has no HCI packets; \(captureAnew)"
        case .tar: "a tar archive; unpack it with `tar xf`, and give the capture in it"
        case .zip: "a zip file in a compressed file; unpack the outer one first"
        case .unknown(let head):
            if let program = CompressedFile.unpacker(of: head) {
                "a compressed file; unpack it with `\(program)` first"
            } else {
                "not a capture in a known form; save it as btsnoop, pcap, pcapng or PacketLogger file"
            }
        }
    }

    /// Only logging programs of Symbian phones are known to have used 1003 and 1004. Wireshark refuses both.
    private static func datalink(_ number: UInt32) -> String {
        let name =
            switch number {
            case 1003: "btsnoop datalink 1003 (BCSP), which no known tool reads"
            case 1004: "btsnoop datalink 1004 (H5), which no known tool reads"
            case 2002: "btsnoop datalink 2002 (BlueZ's simulator), which has no HCI packets"
            default: "btsnoop datalink \(number), which is unknown"
            }
        return "\(name); \(captureAnew)"
    }

    private static func linkType(_ number: UInt32) -> String {
        let name =
            switch number {
            case 251, 255, 256, 272:
                "a capture of the air (link type \(number)), which has no HCI packets"
            case 186, 189, 220, 249, 266, 288:
                "a capture of USB (link type \(number)), which this program does not convert"
            default: "a capture of link type \(number), which has no HCI packets"
            }
        return "\(name); \(captureAnew)"
    }
}
