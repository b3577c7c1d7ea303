#if !hasFeature(Embedded)
    import FixedMemory

    // For archives that must forget a page's contents but keep its place in the chain. A board cannot do
    // that.

    extension LogPage {
        /// The page with zeros for its entries and its seal, and with a new checksum. Header, segment header
        /// and link are unchanged; the hash chain's value after the page can no longer be computed from it.
        public func withoutEntries() -> [UInt8] {
            var bytes = [UInt8](repeating: 0, count: byteCount)
            let prefix = prefix
            for index in prefix.indices { bytes[index] = prefix[index] }
            let checksum = Self.checksum(of: bytes.span, at: position)
            for index in 0..<4 {
                bytes[PageHeader.checksumOffset + index] = UInt8(
                    truncatingIfNeeded: checksum &>> UInt32(8 * index))
            }
            return bytes
        }
    }

    extension LogEntry {
        /// The entry as encoded in a page: kind, length, body.
        public var encoded: [UInt8] {
            var body = BodyBuffer()
            do throws(CapacityError) {
                try encodeBody(into: &body)
            } catch {
                preconditionFailure("there is room for the largest body")
            }
            var bytes = [kind.rawValue, UInt8(body.count & 0x7f)]
            if body.count > 0x7f {
                bytes[1] |= 0x80
                bytes.append(UInt8(body.count >> 7))
            }
            let span = body.span
            for index in span.indices { bytes.append(span[index]) }
            return bytes
        }
    }
#endif
