package import Dispatch
internal import Foundation

/// Starts a thread.
///
/// - Parameters:
///   - name: the name that `top` and `perf` show; at most 15 bytes. Foundation's `Thread.name` is not known to Linux.
///   - group: is entered now, and left when the body ends.
package func startThread(_ name: String, in group: DispatchGroup? = nil, _ body: @escaping @Sendable () -> Void) {
    group?.enter()
    let thread = Thread {
        let file = FileHandle(forWritingAtPath: "/proc/thread-self/comm")
        try? file?.write(contentsOf: Data(name.utf8))
        body()
        group?.leave()
    }
    thread.start()
}
