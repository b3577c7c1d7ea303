/// Why a dashboard cannot be served.
public enum DashboardError: Error, Equatable {
    /// Another program listens at the port.
    case portInUse
    /// This computer does not have the address, or the port needs more rights.
    case cannotBind(code: Int32)
    /// Something else, in the words of the server.
    case failed(String)
}
