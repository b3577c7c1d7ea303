import FixedMemory

extension EffectiveConfiguration {
    /// Passes a line to `report` for each key that was set by its former name:
    /// `FILE:LINE: schemes.relatives: renamed; write schemes.other`.
    public func reportRenamedKeys(fileName: Span<UInt8>, _ report: (Span<UInt8>) -> Void) {
        var keys = ConfigurationKey.all
        while let key = keys.next() {
            guard usesFormerName(of: key), let formerName = key.formerName else { continue }
            var line = FixedBuffer<1024>()
            // The line always has room: a file's name has at most 255 bytes.
            try? write(key, formerName, to: &line, fileName)
            report(line.span)
        }
    }

    private func write(
        _ key: ConfigurationKey, _ formerName: StaticString, to line: inout FixedBuffer<1024>,
        _ fileName: Span<UInt8>
    ) throws(CapacityError) {
        try origin(of: key).write(to: &line, fileName: fileName)
        try line.append(": ")
        try line.append(key.section.name)
        try line.append(UInt8(ascii: "."))
        try line.append(formerName)
        try line.append(": renamed; write ")
        try key.writeName(to: &line)
    }
}
