import CAllocationCount
import CCallgrind
import DeckService
import Glibc
import Logging
import MicroHTTP

// Measures the server's side of a request, without the kernel. One process has the server, with one worker, and the client,
// which has its own thread and allocates nothing while it sends.

let usage = """
    usage: RequestBenchmark                      prints the allocations and the processor time of each kind of request
           RequestBenchmark NAME COUNT           sends COUNT requests of one kind, for a profiler
           RequestBenchmark --count NAME COUNT   prints the allocations of COUNT requests, and has Callgrind count their
                                                 instructions
    """
let arguments = Array(CommandLine.arguments.dropFirst())
let counts = arguments.first == "--count"

var configuration = ServerConfiguration(host: "127.0.0.1", port: 0)
configuration.workerCount = 1
// libmicrohttpd clears a connection's memory after each request. Less memory, and less of that is counted.
if counts { configuration.perConnectionMemoryBytes = 4096 }
var service = ServiceConfiguration()
// The bucket is never empty, but its headers are sent.
service.costPerSecond = 1_000_000
service.costBurst = 1_000_000
let server = Server(
    configuration: configuration,
    application: DeckService(configuration: service, logger: Logger(label: "benchmark"))
)
try server.start()
let client = try Client(port: UInt16(server.address.port))
var scripts = try Scripts(client).all

/// Sends requests and returns the status of the last response.
@MainActor
@discardableResult
func send(_ script: inout Script, _ count: Int) throws -> String {
    for _ in 0..<count { try client.exchange(script.next()) }
    return String(decoding: try client.exchange(script.next())[9..<12], as: UTF8.self)
}

/// Lets the worker finish its turn after the last response.
func settle() {
    usleep(50_000)
}

/// The processor time that all threads but this one have spent in user mode, in microseconds.
func serverTime() -> Double {
    func time(_ who: CInt) -> Double {
        var usage = rusage()
        getrusage(who, &usage)
        return Double(usage.ru_utime.tv_sec) * 1e6 + Double(usage.ru_utime.tv_usec)
    }
    // Linux counts for the calling thread under RUSAGE_THREAD, which is 1 and which Glibc leaves out.
    return time(CInt(RUSAGE_SELF.rawValue)) - time(1)
}

@MainActor
func measureTimes(of script: inout Script) throws {
    try send(&script, 2000)
    settle()
    let allocations = allocation_count()
    let start = serverTime()
    let count = 20_000
    for _ in 0..<count { try client.exchange(script.next()) }
    let time = (serverTime() - start) / Double(count)
    let each = Double(allocation_count() - allocations) / Double(count)
    let status = try send(&script, 0)
    print("\(script.name) (\(status)): \(each) allocations, \((time * 100).rounded() / 100) µs")
}

/// Prints the status of the responses and the allocations of a number of requests.
@MainActor
func count(_ script: inout Script, _ number: Int) throws {
    let status = try send(&script, 200)
    settle()
    let before = allocation_count()
    callgrind_start()
    for _ in 0..<number { try client.exchange(script.next()) }
    settle()
    callgrind_stop()
    print("\(status) \(allocation_count() - before)")
}

let words = arguments.drop { $0 == "--count" }
if words.isEmpty, !counts {
    for index in scripts.indices { try measureTimes(of: &scripts[index]) }
} else if words.count == 2, let number = words.last.flatMap({ Int($0) }), number > 0,
    let index = scripts.firstIndex(where: { $0.name == words.first })
{
    if counts {
        try count(&scripts[index], number)
    } else {
        try send(&scripts[index], number - 1)
    }
} else {
    print(usage)
    exit(2)
}
exit(0)
