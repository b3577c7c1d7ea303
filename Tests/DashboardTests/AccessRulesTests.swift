import Testing

@testable import Dashboard

@Suite struct AccessRulesTests {
    private let token = AccessToken(text: "00112233445566778899aabbccddeeff")
    private var rules: AccessRules { AccessRules(token: token, address: "127.0.0.1", port: 8733) }

    private func head(
        _ target: String = "/", method: String = "GET", host: String? = "127.0.0.1:8733",
        cookies: [String] = ["tabard-8733=00112233445566778899aabbccddeeff"]
    ) -> RequestHead {
        RequestHead(method: method, target: target, host: host, cookies: cookies)
    }

    private func status(_ head: RequestHead) -> Int? {
        if case .refuse(let status, _) = rules.judge(head) { status } else { nil }
    }

    @Test func aCookieWithTheTokenIsAdmitted() {
        #expect(rules.judge(head("/encounters?page=2")) == .admit)
        #expect(rules.judge(head(cookies: ["a=b; tabard-8733=\(token.text); c=d"])) == .admit)
    }

    @Test func noTokenOrAnotherOneIsRefused() {
        #expect(status(head(cookies: [])) == 403)
        #expect(status(head(cookies: ["tabard-8733=\(token.text)0"])) == 403)
        #expect(status(head(cookies: ["tabard-8734=\(token.text)"])) == 403)
        #expect(status(head(cookies: ["tabard-8733="])) == 403)
        #expect(status(head("/?token=", cookies: [])) == 403)
    }

    @Test func theTokenMovesFromTheAddressToTheCookie() {
        #expect(
            rules.judge(head("/contacts?since=7d&token=\(token.text)&page=2", cookies: []))
                == .keepToken(location: "/contacts?since=7d&page=2"))
        #expect(rules.judge(head("/?token=\(token.text)", cookies: [])) == .keepToken(location: "/"))
        #expect(status(head("/?token=\(token.text)", method: "POST", cookies: [])) == 403)
    }

    @Test(arguments: ["//elsewhere", "/a//b", "/../b", "/%2e", "/A", "nowhere", "", "/a\\b"])
    func otherPathsLeadNowhere(path: String) {
        #expect(status(head("\(path)?token=\(token.text)")) == 404)
    }

    @Test(arguments: [nil, "", "127.0.0.1", "127.0.0.1:80", "elsewhere:8733", "127.0.0.1:8733.elsewhere"])
    func otherHostsAreRefused(host: String?) {
        #expect(status(head(host: host)) == 421)
    }

    @Test(arguments: ["127.0.0.1:8733", "LOCALHOST:8733", "[::1]:8733"])
    func loopbackHasThreeNames(host: String) {
        #expect(rules.judge(head(host: host)) == .admit)
    }

    @Test func anAddressOnANetworkHasOneName() {
        let rules = AccessRules(token: token, address: "192.168.1.5", port: 80)
        let cookies = ["tabard-80=\(token.text)"]
        #expect(rules.judge(head(host: "192.168.1.5", cookies: cookies)) == .admit)
        #expect(rules.judge(head(host: "localhost", cookies: cookies)) != .admit)
    }

    @Test func actionsComeFromOwnPages() {
        var own = head("/boards/fetch", method: "POST")
        #expect(rules.judge(own) == .admit)
        own.origin = "http://127.0.0.1:8733"
        own.site = "same-origin"
        #expect(rules.judge(own) == .admit)
        own.origin = "http://elsewhere"
        #expect(status(own) == 403)
        own.origin = "null"
        own.site = "cross-site"
        #expect(status(own) == 403)
    }

    @Test func aFormNeedsTheProof() throws {
        #expect(rules.isProven(try FieldList("proof=\(token.formProof)")))
        #expect(!rules.isProven(try FieldList("proof=\(token.text)")))
        #expect(!rules.isProven(.empty))
        #expect(token.formProof != token.text)
    }

    @Test func tokensDiffer() {
        let (one, other) = (AccessToken(), AccessToken())
        #expect(one.text != other.text)
        #expect(one.text.count == 32)
    }
}
