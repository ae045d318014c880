import MicroHTTP

/// What all workers write is in several shards, so that they seldom wait for each other.
enum WorkerShards {
    /// How many shards there are: one for each worker, unless the memory would be too much.
    static var count: Int { min(16, ServerConfiguration.availableProcessors) }
}
