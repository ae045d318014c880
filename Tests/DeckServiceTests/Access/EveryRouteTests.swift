import DeckHost
import Foundation
import JSONTesting
import Logging
import MicroHTTP
import Testing

@testable import DeckService

/// What each endpoint of the router says to each kind of credentials. A new endpoint is in here by being in the router.
@Suite(.serialized) struct EveryRouteTests {
    /// An endpoint, and how to ask for it.
    private struct Place {
        var access: Access
        var method: String
        var path: String
        /// A request that is let in must not change what the next one finds, nor wait: HEAD stands for GET.
        var harmlessMethod: String { method == "GET" ? "HEAD" : method }
        /// Whether there is something to read. The names of files contain hashes, and frames need a query.
        var isReadable: Bool { method == "GET" && !path.hasSuffix("{file}") && !path.hasSuffix("/frames") }
        var body: Data? { ["PUT", "POST", "PATCH"].contains(method) ? Data("!".utf8) : nil }
    }

    private func places(_ session: Tokens) -> [Place] {
        DeckService(logger: Logger(label: "test")).router.routes.flatMap { route in
            let path = route.pattern.text.replacing("/v1/sessions/{id}", with: session.path)
                .replacing("{deck}", with: "sample").replacing("{index}", with: "0")
                .replacing("{name}", with: "forbidden")
            return route.endpoints.map { Place(access: $1.access, method: $0.rawValue, path: path) }
        }
    }

    private func status(
        _ client: Client,
        _ place: Place,
        _ headers: [String: String] = [:],
        query: String = ""
    ) async throws -> Int {
        let method = place.harmlessMethod
        return try await client.send(method, place.path + query, place.body, headers: headers).status
    }

    private let denials = [401, 403]

    /// Whether a request that was let in has such a status. What can be read is there, and the bodies of other requests are wrong.
    private func isAnswer(_ status: Int, to place: Place) -> Bool {
        place.isReadable ? status == 200 : status < 500 && !denials.contains(status)
    }

    @Test func withoutCredentialsOnlyOpenOnesAnswer() async throws {
        try await withGuardedService { service in
            let session = try await service.begin(more: #""record":true"#)
            for place in places(session) {
                let answer = try await service.stranger.send(place.method, place.path, place.body)
                guard place.access != .open else {
                    #expect(!denials.contains(answer.status), "\(place)")
                    continue
                }
                #expect(answer.status == 401, "\(place)")
                #expect(answer.headers["www-authenticate"] == "Bearer realm=\"deckd\"", "\(place)")
                #expect(answer.json["type"] == "/problems/unauthorized", "\(place)")
                #expect(try await status(service.stranger, place) == 401, "\(place)")
            }
        }
    }

    @Test func aTokenThatFitsNothingIsRefusedEverywhere() async throws {
        try await withGuardedService { service in
            let session = try await service.begin()
            for place in places(session) where place.access != .open {
                for token in [freshToken(), "deckd_" + freshToken()] {
                    let headers = bearer(token)
                    let answer = try await service.stranger.send(place.method, place.path, place.body, headers: headers)
                    #expect(answer.status == 401, "\(place)")
                    #expect(answer.headers["www-authenticate"]?.contains("error=\"invalid_token\"") == true)
                    #expect(answer.json["type"] == "/problems/invalid-token")
                    #expect(!answer.text.contains(token))
                }
            }
        }
    }

    @Test func theKeyIsLetInEverywhere() async throws {
        try await withGuardedService { service in
            for (index, _) in places(try await service.begin(more: #""record":true"#)).enumerated() {
                // Some of them end the session that they are about.
                let place = places(try await service.begin(more: #""record":true"#))[index]
                let given = try await status(service.backEnd, place)
                #expect(isAnswer(given, to: place), "\(place): \(given)")
            }
        }
    }

    @Test func aSessionsTokenIsLetInWhereItIsAboutThatSession() async throws {
        try await withGuardedService { service in
            let other = try await service.begin(more: #""record":true"#)
            for (index, one) in places(other).enumerated() {
                guard case .session(let need) = one.access else { continue }
                let session = try await service.begin(more: #""record":true"#)
                let place = places(session)[index]
                for token in other.all {
                    #expect(try await status(service.stranger, place, bearer(token)) == 401, "\(place)")
                    #expect(try await status(service.stranger, place, query: "?access_token=\(token)") == 401)
                }
                let spectators = try await status(service.stranger, place, bearer(session.spectator))
                #expect((need == .read) == !denials.contains(spectators), "\(place)")
                #expect((need != .read) == (spectators == 403), "\(place)")
                let query = "?access_token=\(session.spectator)"
                #expect(try await status(service.stranger, place, query: query) == spectators, "\(place)")
                let players = try await status(service.stranger, place, bearer(session.player))
                #expect([.read, .play].contains(need) == !denials.contains(players), "\(place)")
                #expect([.review, .own].contains(need) == (players == 403), "\(place)")
                let playersQuery = "?access_token=\(session.player)"
                #expect(try await status(service.stranger, place, query: playersQuery) == players, "\(place)")
                // An address is no place for what opens everything.
                #expect(try await status(service.stranger, place, query: "?access_token=\(service.key)") == 401)
                let full = try await status(service.stranger, place, query: "?access_token=\(session.full)")
                #expect(isAnswer(full, to: place), "\(place): \(full)")
            }
        }
    }

    @Test func aSessionsTokenIsNoKey() async throws {
        try await withGuardedService { service in
            let session = try await service.begin()
            for place in places(session) where place.access.requiresKey {
                for token in session.all {
                    #expect(try await status(service.stranger, place, bearer(token)) == 401, "\(place)")
                    let query = "?access_token=\(token)"
                    #expect(try await status(service.stranger, place, query: query) == 400, "\(place)")
                    #expect(try await status(service.backEnd, place, query: query) == 400, "\(place)")
                }
            }
        }
    }

    @Test func onlyReadingIsOpenToSpectators() {
        for route in DeckService(logger: Logger(label: "test")).router.routes {
            let path = route.pattern.text
            for (method, endpoint) in route.endpoints {
                if endpoint.access == .session(.read) { #expect(method == .get, "\(path)") }
                if endpoint.access == .session(.review) { #expect(method == .get, "\(path)") }
                let asksTheSession = if case .session = endpoint.access { true } else { false }
                #expect(asksTheSession == path.hasPrefix("/v1/sessions/{id}"), "\(path)")
                #expect(endpoint.access != .open || !path.hasPrefix("/v1"), "\(path)")
            }
        }
    }

    @Test func withoutKeysNothingIsAskedButWhatIsGivenIsChecked() async throws {
        try await withService { client in
            let begun = try await client.begin(#"{"count":9}"#, more: #""record":true"#).created.json
            let session = try #require(Tokens(begun))
            for place in places(session) where place.method == "GET" {
                let given = try await status(client, place)
                #expect(isAnswer(given, to: place), "\(place): \(given)")
                guard place.access != .open else { continue }
                #expect(try await status(client, place, bearer(freshToken())) == 401, "\(place)")
                #expect(try await status(client, place, bearer("")) == 401, "\(place)")
                guard case .session(let need) = place.access else { continue }
                let spectators = try await status(client, place, bearer(session.spectator))
                #expect(need == .read ? !denials.contains(spectators) : spectators == 403, "\(place)")
            }
            let event = #"{"type":"tick","at":1}"#
            let events = "\(session.path)/events"
            #expect(try await client.post(events, event, headers: bearer(session.spectator)).status == 403)
            #expect(try await client.post(events, event, headers: bearer(session.full)).status == 200)
            #expect(try await client.post(events, event, headers: bearer(session.player)).status == 200)
            #expect(try await client.post(events, event).status == 200)
        }
    }
}
