import Glibc
import Testing

/// `config/cluster`: PostgreSQL with two standbys and three nodes, and what happens when the primary is killed.
@Suite(.serialized) struct ClusterTests {
    /// A few clients, because the servers of PostgreSQL and the nodes share the machine with them.
    private static let playerCount = 4

    @Test func whatWasAnsweredSurvivesFailovers() throws {
        let key = try makeKey("test")
        let cluster = try Cluster(key)
        let mix = try NodeMix(ports: cluster.ports, apiKey: key.secret, playerCount: Self.playerCount)
        var times: [Double] = []
        try mix.play(during: NodeMix.troubleCount) {
            usleep(.random(in: 200_000...1_500_000))
            times.append(try cluster.failOver())
        }
        print("after the kill of a primary the nodes took changes again in \(times.sorted()) s")
        try mix.check(leastCount: 100 * times.count)
    }

    @Test func aStandbyMayBeKilledAtAnyTime() throws {
        let key = try makeKey("test")
        let cluster = try Cluster(key)
        let mix = try NodeMix(ports: cluster.ports, apiKey: key.secret, playerCount: Self.playerCount)
        try mix.play(during: NodeMix.troubleCount) {
            usleep(.random(in: 200_000...1_000_000))
            let standby = try cluster.standbys().randomElement() ?? ""
            try cluster.kill(standby)
            try cluster.run("rejoin", standby)
        }
        try mix.check(leastCount: 100 * NodeMix.troubleCount)
    }
}
