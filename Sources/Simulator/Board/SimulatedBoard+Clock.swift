import DeviceSync
import FixedMemory

extension SimulatedBoard {
    /// Tells the board the time over its line, as a host at a dock does. The board must accept commands
    /// without a signature.
    public func tell(_ time: WallClockTime) {
        var bytes = FixedBuffer<256>()
        do throws(CapacityError) {
            let request = try SyncRequest.setClock(time, errorMilliseconds: 100, sequence: 1)
            try SerialFrameEncoder.encode(request.span, into: &bytes)
        } catch {
            preconditionFailure("the command fits")
        }
        _ = line.takeOutput()
        line.send([UInt8](bytes.span))
    }
}
