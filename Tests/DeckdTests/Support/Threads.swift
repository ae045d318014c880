import Foundation

/// Runs each closure on a thread, and returns when all of them have ended. They wait for sockets, so that a pool of a few
/// threads would not do.
func onThreads(_ bodies: [@Sendable () -> Void]) {
    let group = DispatchGroup()
    for body in bodies {
        group.enter()
        Thread.detachNewThread {
            body()
            group.leave()
        }
    }
    group.wait()
}
