import EncounterLog
import FixedMemory
import Foundation
import LogContents
import TestSupport

/// Edits of the bytes of pages, with new checksums.
extension CourierEdit {
    static let changedPages: [CourierEdit] = [
        .init("a page replaced by one in clear") { file in
            let ordinal = try file.middle()
            let place = try file.pages(ordinal)[2]
            let link = try file.contents(ordinal).pages.first { $0.byteOffset == place.byteOffset }?.link
            let page = CourierFile.clearPage(
                at: ordinal, place.byteOffset, after: link?.chainValue, number: link?.pageNumber ?? 0)
            try file.change(ordinal) { bytes in
                bytes.replaceSubrange(place.range, with: repeatElement(0xff, count: place.byteCount))
                bytes.replaceSubrange(place.byteOffset..<place.byteOffset + page.count, with: page)
            }
        },
        .init("a page replaced by an earlier one") { file in
            let ordinal = try file.middle()
            let bytes = try file.bytes(ordinal)
            let places = try file.pages(ordinal)
            let earlier = Array(bytes[places[1].range])
            try file.change(ordinal) { bytes in
                let place = places[3]
                let page = PageForge.sealed(earlier, ordinal: ordinal, byteOffset: place.byteOffset)
                bytes.replaceSubrange(place.byteOffset..<place.byteOffset + page.count, with: page)
            }
        },
        .init("two pages exchanged") { file in
            let ordinal = try file.middle()
            let places = try file.pages(ordinal)
            let bytes = try file.bytes(ordinal)
            let (one, two) = (Array(bytes[places[2].range]), Array(bytes[places[3].range]))
            try file.change(ordinal) { bytes in
                let start = places[2].byteOffset
                let unit = CourierBoard.geometry.unitByteCount
                let second = (start + two.count + unit - 1) / unit * unit
                let end = places[3].byteOffset + places[3].byteCount
                var region = PageForge.sealed(two, ordinal: ordinal, byteOffset: start)
                region += [UInt8](repeating: 0xff, count: second - start - two.count)
                region += PageForge.sealed(one, ordinal: ordinal, byteOffset: second)
                bytes.replaceSubrange(
                    start..<max(end, start + region.count),
                    with: region + [UInt8](repeating: 0xff, count: max(0, end - start - region.count)))
            }
        },
        .init("a bit of the encrypted entries flipped") { try $0.changePage(2) { $0[$0.count - 40] ^= 1 } },
        .init("a bit of the seal's tag flipped") { try $0.changePage(2) { $0[$0.count - 3] ^= 1 } },
        .init("a bit flipped, with the old checksum") { file in
            let ordinal = try file.middle()
            let place = try file.pages(ordinal)[2]
            try file.change(ordinal) { $0[place.byteOffset + place.byteCount - 30] ^= 4 }
        },
        .init("the flag of encryption taken away") { try $0.changePage(2) { $0[1] &= 0xfe } },
        .init("the flag of the link taken away") { try $0.changePage(2) { $0[1] &= 0xfb } },
        .init("another epoch number") { try $0.changePage(-1) { $0[1] ^= 0x30 } },
        .init("another version of the format") { try $0.changePage(2) { $0[0] = 0xb3 } },
        .init("an unknown flag") { try $0.changePage(2) { $0[1] |= 8 } },
        .init("another chain value in the link") { try $0.changePage(-1) { $0[8] ^= 1 } },
        .init("another page number in the link") { try $0.changePage(-1) { $0[24] ^= 1 } },
        .init("another number of entries in the link") { try $0.changePage(-1) { $0[26] &+= 1 } },
        .init("another acknowledged position in the link") { try $0.changePage(-1) { $0[28] ^= 1 } },
        .init("the counted entries of the segment before, up") { try $0.changeHeader(45) { $0 &+= 3 } },
        .init("the counted entries of the segment before, down") { try $0.changeHeader(45) { $0 &-= 3 } },
        .init("another boot in the segment header") { try $0.changeHeader(20) { $0 ^= 1 } },
        .init("another log in the segment header") { try $0.changeHeader(28) { $0 ^= 1 } },
        .init("another day in the segment header") { try $0.changeHeader(81) { $0 ^= 1 } },
        .init("another owner key in the seal") { try $0.changeSeal(86) { $0 ^= 1 } },
        .init("another ephemeral key in the seal") { try $0.changeSeal(102) { $0 ^= 1 } },
        .init("another signed position in the seal") { try $0.changeSeal(166) { $0 ^= 1 } },
        .init("another signed chain value in the seal") { try $0.changeSeal(174) { $0 ^= 1 } },
        .init("signatures of zeros") { file in
            for offset in 190..<254 { try file.changeSeal(offset) { $0 = 0 } }
        },
        .init("an entry of a log in clear changed, and all pages behind it chained anew") { file in
            try file.rechain(CourierFile.clear)
        },
    ]
}

extension CourierFile {
    /// Changes a byte in the segment header of the middle segment, in both pages that have it, and its
    /// checksums. Offsets count from the page's start.
    func changeHeader(_ offset: Int, _ change: @escaping (inout UInt8) -> Void) throws {
        try forEachHeader { page in
            change(&page[offset])
            let checksum = PageForge.crc32c(Array(page[0..<4] + page[8..<82]))
            page.replaceSubrange(82..<86, with: PageForge.littleEndian(checksum))
        }
    }

    /// Changes a byte behind the segment header's checksum.
    func changeSeal(_ offset: Int, _ change: @escaping (inout UInt8) -> Void) throws {
        try forEachHeader { change(&$0[offset]) }
    }

    private func forEachHeader(_ change: @escaping (inout [UInt8]) -> Void) throws {
        let ordinal = try middle()
        for place in try pages(ordinal) {
            guard try bytes(ordinal)[place.byteOffset + 1] & 2 != 0 else { continue }
            try self.change(ordinal) { PageForge.change(&$0, at: place, ordinal: ordinal, change) }
        }
    }

    /// Changes the last byte of a page, and gives all pages behind it links that fit.
    func rechain(_ board: Int) throws {
        var value: Bytes<16>?
        for ordinal in try ordinals(board) where try ordinal >= middle(board) {
            for place in try pages(ordinal, board) {
                let linkOffset = try bytes(ordinal, board)[place.byteOffset + 1] & 2 != 0 ? 8 + 78 : 8
                let before = value
                try change(ordinal, board) {
                    PageForge.change(&$0, at: place, ordinal: ordinal) { page in
                        if let before {
                            page.replaceSubrange(
                                linkOffset..<linkOffset + 16, with: [UInt8](copying: before.span))
                        } else {
                            page[page.count - 1] ^= 1
                        }
                    }
                }
                value = try contents(ordinal, board).pages.first { $0.byteOffset == place.byteOffset }?.head?
                    .chainValue
            }
        }
    }
}
