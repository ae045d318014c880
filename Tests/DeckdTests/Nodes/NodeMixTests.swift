import Foundation
import Testing

/// Clients that go from node to node, while nodes are killed, stand still and lose their connections.
@Suite(.serialized) struct NodeMixTests {
    @Test func whatWasAnsweredIsThereOnEveryNode() throws {
        try run(times: 60, playerCount: 60, mayLoseDrags: false) { _ in usleep(100_000) }
    }

    @Test func whatWasAnsweredSurvivesKillsOfNodes() throws {
        try run(times: NodeMix.troubleCount) { nodes in
            usleep(.random(in: 100_000...1_000_000))
            let index = nodes.servers.indices.randomElement() ?? 0
            #expect(nodes.servers[index].stop(SIGKILL) == .signal(SIGKILL))
            try nodes.restart(index)
        }
    }

    /// All nodes are stopped in order and started again, as for an upgrade. Even drags go on.
    @Test func aRollingRestartFailsNoRequest() throws {
        try run(times: 2, mayLoseDrags: false) { nodes in
            for index in nodes.servers.indices {
                usleep(300_000)
                #expect(nodes.servers[index].stop(SIGTERM) == .exit(0))
                try nodes.restart(index)
            }
        }
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
    @Test func whatWasAnsweredSurvivesLostConnections() throws {
        try run(times: 5 * NodeMix.troubleCount) { nodes in
            usleep(.random(in: 10_000...300_000))
            try nodes.cutConnections()
        }
    }

    private func run(
        times: Int,
        playerCount: Int = 10,
        mayLoseDrags: Bool = true,
        _ trouble: (Nodes) throws -> Void
    ) throws {
        let nodes = try Nodes()
        let mix = try NodeMix(
            ports: nodes.ports,
            apiKey: nodes.key.secret,
            playerCount: playerCount,
            mayLoseDrags: mayLoseDrags
        )
        try mix.play(during: times) { try trouble(nodes) }
        try mix.check(leastCount: 20 * times)
        nodes.stop()
    }
}
