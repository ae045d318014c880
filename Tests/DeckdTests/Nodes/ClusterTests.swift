import Glibc
import Testing

/// `config/cluster`: PostgreSQL with two standbys and three nodes, and what happens when the primary is killed.
@Suite(.serialized) struct ClusterTests {
    /// A few clients, because the servers of PostgreSQL and the nodes share the machine with them.
    private static let playerCount = 4

    /// The troubles of one cluster. The longer it is played, the more data a server must copy that comes back.
    private static let troublesPerCluster = 10

    @Test func whatWasAnsweredSurvivesFailovers() throws {
        var times: [Double] = []
        try playClusters { cluster in
            usleep(.random(in: 200_000...1_500_000))
            times.append(try cluster.failOver())
        }
        print("after the kill of a primary the nodes took changes again in \(times.sorted()) s")
        #expect(times.count == NodeMix.troubleCount)
    }

    @Test func aStandbyMayBeKilledAtAnyTime() throws {
        try playClusters { cluster in
            usleep(.random(in: 200_000...1_000_000))
            let standby = try cluster.standbys().randomElement() ?? ""
            try cluster.kill(standby)
            try cluster.run("rejoin", standby)
        }
    }

    /// Plays sessions in one new cluster after the other, makes trouble in each, and checks everything that was answered.
    private func playClusters(_ makeTrouble: (Cluster) throws -> Void) throws {
        let key = try makeKey("test")
        for first in stride(from: 0, to: NodeMix.troubleCount, by: Self.troublesPerCluster) {
            let count = min(Self.troublesPerCluster, NodeMix.troubleCount - first)
            let cluster = try Cluster(key)
            let mix = try NodeMix(ports: cluster.ports, apiKey: key.secret, playerCount: Self.playerCount)
            try mix.play(during: count) { try makeTrouble(cluster) }
            try mix.check(leastCount: 100 * count)
            print("troubles \(first + 1) to \(first + count) of \(NodeMix.troubleCount) are over")
        }
    }
}
