import CLinux
import FixedMemory

/// The processor for which the program is built.
public enum Processor {
    /// Its kind as of `uname -m`, padded with 0.
    public static var name: Bytes<16> {
        var name = FixedBuffer<16>()
        try? name.append(cString: clinux_architecture())
        while name.count < 16 { try? name.append(0) }
        return Bytes(name.span) ?? Bytes()
    }
}
