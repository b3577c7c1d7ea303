import FixedMemory
import GATT
import Protocols

/// The input is the MTU that peers request (2; if the highest bit is set, two peers take turns), then
/// requests: length (1) and bytes. A second passes with each request.
enum AttributeServerTarget {
    static func run(_ input: [UInt8]) throws(FuzzFinding) {
        var script = Script(input)
        let word = script.word()
        guard var server = makeServer() else { return }
        var peers = [ServedPeer(link: 0, of: &server)]
        if word & 0x8000 != 0 { peers.append(ServedPeer(link: 1, of: &server)) }
        let mtu = word & 0x7fff
        if mtu > 0 {
            let exchange = [2, UInt8(mtu & 255), UInt8(mtu >> 8)]
            for index in peers.indices { try peers[index].ask(exchange, &server) }
        }
        var turn = 0
        while !script.isAtEnd {
            try peers[turn].ask(script.chunk(), &server)
            server.herald.now += 1_000
            turn = (turn + 1) % peers.count
        }
    }

    private static func makeServer() -> IdentityServer? {
        guard let herald = try? HeraldServer(payload: FixedBuffer(), linkLimit: 2),
            var server = try? IdentityServer(herald: herald, linkLimit: 2)
        else { return nil }
        server.sonarSecret = ServedPeer.secret
        server.wallClockOffset = 1_588_842_930_000
        return server
    }
}
