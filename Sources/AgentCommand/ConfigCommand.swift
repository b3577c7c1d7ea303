import Configuration
import Cryptography
import FixedMemory

/// `tabard config`: what is in force, and who set it.
enum ConfigCommand {
    static func run(_ arguments: inout Arguments) -> Int32 {
        var exitCode = ExitCode.success
        guard let configuration = ConfigurationLoader.load(&arguments, exitCode: &exitCode) else {
            return exitCode
        }
        guard let text = listing(of: configuration) else { return ExitCode.software }
        Output.write(text.span, to: 1)
        return ExitCode.success
    }

    /// By which a log says under which configuration it was written: the first 16 bytes of SHA-256 of the listing.
    static func digest(of configuration: borrowing EffectiveConfiguration) -> Bytes<16>? {
        guard let text = listing(of: configuration) else { return nil }
        let digest = SHA256.digest(of: text.span)
        return Bytes<16>(digest.span.extracting(0..<16))
    }

    /// Nil if there is no room for it, which is a mistake in this program.
    private static func listing(of configuration: borrowing EffectiveConfiguration) -> FixedBuffer<8192>? {
        var text = FixedBuffer<8192>()
        do throws(CapacityError) { try configuration.write(to: &text) } catch { return nil }
        return text
    }
}
