#if !hasFeature(Embedded)
    // Arrays allocate, so only computers have these.

    extension [UInt8] {
        public init(copying span: Span<UInt8>) {
            self.init()
            reserveCapacity(span.count)
            for index in span.indices { append(span[index]) }
        }
    }

    extension Bytes {
        package var array: [UInt8] { [UInt8](copying: span) }

        package init?(_ bytes: [UInt8]) { self.init(bytes.span) }
    }
#endif
