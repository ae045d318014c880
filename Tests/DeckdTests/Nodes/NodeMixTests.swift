import Foundation
import JournalTesting
import Testing

/// Clients that go from node to node, while nodes are killed, stand still and lose their connections.
@Suite(.serialized) struct NodeMixTests {
    @Test(arguments: [1, 3]) func whatWasAnsweredIsThereOnEveryNode(databaseCount: Int) throws {
        try run(times: 60, playerCount: 60, databaseCount: databaseCount, mayLoseDrags: false) { _ in usleep(100_000) }
    }

    @Test func whatWasAnsweredSurvivesKillsOfNodes() throws {
        try run(times: NodeMix.troubleCount) { nodes in
            usleep(.random(in: 100_000...1_000_000))
            let index = nodes.servers.indices.randomElement() ?? 0
            #expect(nodes.servers[index].stop(SIGKILL) == .signal(SIGKILL))
            try nodes.restart(index)
        }
    }

    /// All nodes are stopped in order and started again, as for an upgrade. Even drags continue.
    @Test func aRollingRestartFailsNoRequest() throws {
        try run(times: 2, mayLoseDrags: false) { nodes in
            for index in nodes.servers.indices {
                usleep(300_000)
                #expect(nodes.servers[index].stop(SIGTERM) == .exit(0))
                try nodes.restart(index)
            }
        }
    }

    /// A node of a later version migrates the schema while nodes of this version serve. These continue, and those that start
    /// after that can use the schema and leave its format as it is.
    @Test func aMigrationByALaterVersionFailsNoRequest() throws {
        let address = try PostgreSQLServer.newAddress()
        let nodes = try Nodes(addresses: [address])
        let format = "SELECT format FROM meta"
        var migrated = ""
        try run(on: nodes, times: 1, mayLoseDrags: false) { nodes in
            usleep(500_000)
            let before = try PostgreSQLServer.run(format, at: address)
            let later = "ALTER TABLE head ADD COLUMN mood text; UPDATE meta SET format = format + 1"
            try PostgreSQLServer.run(later, at: address)
            migrated = try PostgreSQLServer.run(format, at: address)
            try #require(migrated != before)
            for index in nodes.servers.indices {
                usleep(500_000)
                #expect(nodes.servers[index].stop(SIGTERM) == .exit(0))
                try nodes.restart(index)
            }
        }
        #expect(try PostgreSQLServer.run(format, at: address) == migrated)
    }

    /// A node that stood still continues with what it had in memory, which others have changed since.
    @Test func aNodeThatStoodStillKnowsThatItIsLate() throws {
        try run(times: NodeMix.troubleCount) { nodes in
            guard let node = nodes.servers.randomElement() else { return }
            node.child.send(SIGSTOP)
            usleep(.random(in: 1_000_000...3_000_000))
            node.child.send(SIGCONT)
            usleep(.random(in: 100_000...1_000_000))
        }
    }

    /// Connections to the database are cut at random moments, also within commits.
    @Test(arguments: [1, 2]) func whatWasAnsweredSurvivesLostConnections(databaseCount: Int) throws {
        try run(times: 5 * NodeMix.troubleCount, databaseCount: databaseCount) { nodes in
            usleep(.random(in: 10_000...300_000))
            try nodes.cutConnections()
        }
    }

    /// A proxy between nodes and server cuts connections in the middle of what they send, and so within commits.
    @Test func whatWasAnsweredSurvivesConnectionsThatAreCutWithinAMessage() throws {
        let proxy = try DatabaseProxy(to: PostgreSQLServer.newAddress())
        try run(times: 10 * NodeMix.troubleCount, addresses: [proxy.address]) { _ in
            proxy.cut(true)
            usleep(100_000)
        } atEnd: {
            proxy.cut(false)
        }
        print("\(proxy.cutCount) connections cut")
        #expect(proxy.cutCount > 2 * NodeMix.troubleCount)
    }

    private func run(
        times: Int,
        playerCount: Int = 10,
        databaseCount: Int = 1,
        addresses: [String]? = nil,
        mayLoseDrags: Bool = true,
        _ trouble: (Nodes) throws -> Void,
        atEnd end: () -> Void = {}
    ) throws {
        let nodes = try Nodes(addresses: addresses, databaseCount: databaseCount)
        try run(
            on: nodes,
            times: times,
            playerCount: playerCount,
            databaseCount: databaseCount,
            mayLoseDrags: mayLoseDrags,
            trouble,
            atEnd: end
        )
    }

    private func run(
        on nodes: Nodes,
        times: Int,
        playerCount: Int = 10,
        databaseCount: Int = 1,
        mayLoseDrags: Bool,
        _ trouble: (Nodes) throws -> Void,
        atEnd end: () -> Void = {}
    ) throws {
        let mix = try NodeMix(
            ports: nodes.ports,
            apiKey: nodes.key.secret,
            playerCount: playerCount,
            mayLoseDrags: mayLoseDrags,
            hasSeveralDatabases: databaseCount > 1
        )
        try mix.play(during: times) { try trouble(nodes) }
        end()
        try mix.check(leastCount: 20 * times)
        nodes.stop()
    }
}
