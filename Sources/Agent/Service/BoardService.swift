/// The agent's dealings with the service manager and with programs on the board.
struct BoardService: BitwiseCopyable {
    var watch = ServiceWatch()
    var battery = BatteryKeeper()
}
