import Foundation
import SocketTesting
import Testing

@testable import MicroHTTP

@Suite(.serialized) struct ListenSocketTests {
    /// A port that is free.
    private func freePort() throws -> Int {
        try ListenSocket.open(host: "127.0.0.1", port: 0, count: 1, backlog: 1).address.port
    }

    /// Servers that start at the same time must not get a part of the clients each.
    @Test func onlyOneOfTwoServersGetsThePort() throws {
        var winnerCount = 0
        let rounds = 400
        for _ in 0..<rounds {
            let port = try freePort()
            let readyCount = Watched(0)
            let winners = Watched(0)
            let isOver = Watched(false)
            let threads = (0..<2).map { _ in
                inBackground {
                    readyCount.change { $0 += 1 }
                    while readyCount.read() < 2 {}
                    let sockets = try? ListenSocket.open(host: "127.0.0.1", port: port, count: 2, backlog: 16)
                    if sockets != nil { winners.change { $0 += 1 } }
                    readyCount.change { $0 += 1 }
                    #expect(isOver.wait { $0 })
                    _ = sockets?.sockets.count
                }
            }
            #expect(readyCount.wait { $0 == 4 })
            #expect(winners.read() <= 1)
            winnerCount += winners.read()
            isOver.change { $0 = true }
            for thread in threads { #expect(thread.wait { $0 }) }
        }
        print("\(winnerCount) of \(rounds) ports were taken")
        #expect(winnerCount > rounds / 2)
    }

    @Test func eachSocketGetsClients() throws {
        let (sockets, address) = try ListenSocket.open(host: "127.0.0.1", port: 0, count: 3, backlog: 200)
        let clients = try (0..<200).map { _ in try RawClient(address) }
        var counts = [0, 0, 0]
        for (number, socket) in sockets.enumerated() {
            while true {
                let client = accept(socket.descriptor, nil, nil)
                guard client >= 0 else { break }
                close(client)
                counts[number] += 1
            }
        }
        #expect(counts.reduce(0, +) == clients.count)
        #expect(counts.allSatisfy { $0 > 20 }, "\(counts)")
    }
}
