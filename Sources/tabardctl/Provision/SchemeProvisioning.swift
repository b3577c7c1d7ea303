import BoardLink
import CommandLineText
import Schemes

/// Gives a board the source of its identities in a scheme, and switches the scheme on.
struct SchemeProvisioning {
    let scheme: SchemeID
    let client: BoardClient

    /// Checks that a board answers in our protocol.
    func reach() throws(Failure) {
        do throws(LinkError) { _ = try client.echo() } catch { throw Failure(error) }
    }

    /// Gives the board the record, sealed for its key.
    /// - Returns: whether its agent restarts to use it.
    func give(_ record: SchemeRecord, to recipient: TrustedBoard) throws(Failure) -> Bool {
        do throws(LinkError) {
            let restarts = try client.provision(
                record.bytes, boardKey: recipient.keys.board, logIdentity: recipient.logIdentity)
            Console.print("\(scheme.name): the board stored \(record.text)")
            return restarts
        } catch {
            throw Failure(error, saidBy: client, nothing: "was stored")
        }
    }

    /// - Parameters:
    ///   - record: the record that the board stores; nil if its identities are random.
    ///   - recipient: the board for which the record is sealed.
    ///   - isSwitchedOn: whether to set the scheme to "on" in the board's configuration.
    func give(_ record: SchemeRecord?, to recipient: TrustedBoard?, isSwitchedOn: Bool) throws(Failure) {
        var restarts = false
        if let record, let recipient { restarts = try give(record, to: recipient) }
        if let key = scheme.configurationKey, isSwitchedOn {
            do throws(LinkError) {
                restarts = try client.configure(["\(key)=on"])
                Console.print("\(scheme.name): set \(key)=on")
            } catch {
                if record != nil {
                    Console.report("tabardctl: the board stored the record, but \(key) is not on")
                }
                throw Failure(error, saidBy: client, nothing: "was set")
            }
        }
        Console.print(
            restarts
                ? "the board restarts its agent and applies the change within a second"
                : "the board applies the change at the next start of its agent")
    }
}
