import CAllocationCount
import DeckService
import Glibc
import Logging
import MicroHTTP

// Measures the server's side of a request, without the work of the kernel: allocations, and the processor time that a
// worker spends in user mode. `RequestBenchmark NAME COUNT` sends one kind of request so often and prints nothing, for a
// profiler.

var configuration = ServerConfiguration(host: "127.0.0.1", port: 0)
configuration.workerCount = 1
var service = ServiceConfiguration()
service.costPerSecond = 0
let application = DeckService(configuration: service, logger: Logger(label: "benchmark"))
let server = Server(configuration: configuration, application: application)
try server.start()
let client = try Client(port: UInt16(server.address.port))

func request(_ method: String, _ path: String, _ body: String = "", headers: [String] = []) -> [UInt8] {
    var lines = ["\(method) \(path) HTTP/1.1", "Host: localhost"] + headers
    if !body.isEmpty { lines += ["Content-Type: application/json", "Content-Length: \(body.utf8.count)"] }
    return Array((lines + ["", body]).joined(separator: "\r\n").utf8)
}

/// Creates a session, and gives its path.
@MainActor
func session() throws -> String {
    let body = #"{"deck":{"count":100,"loop":true},"viewport":{"width":390,"height":600}}"#
    let response = String(decoding: try client.exchange(request("POST", "/v1/sessions", body)), as: UTF8.self)
    guard let location = response.split(separator: "\r\n").first(where: { $0.hasPrefix("Location: ") }) else {
        throw Client.Failure(description: response)
    }
    return String(location.dropFirst("Location: ".count))
}

let dragged = try session()
let swiped = try session()
let still = try session()
try client.exchange(request("POST", "\(dragged)/events", #"{"type":"drag","phase":"began","location":{"x":9,"y":9}}"#))
let drag = #"{"type":"drag","phase":"changed","translation":{"x":40,"y":6}}"#
let browser = [
    "User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0", "Accept: */*",
    "Accept-Language: en-US,en;q=0.5", "Accept-Encoding: gzip, deflate, br, zstd", "Referer: http://localhost/",
    "Origin: http://localhost", "Connection: keep-alive", "Sec-Fetch-Dest: empty", "Sec-Fetch-Mode: cors",
    "Sec-Fetch-Site: same-origin", "Priority: u=4", "Pragma: no-cache",
]
let kinds: [(name: String, request: [UInt8])] = [
    ("drag", request("POST", "\(dragged)/events", drag)),
    ("browser", request("POST", "\(dragged)/events", drag, headers: browser)),
    ("swipe", request("POST", "\(swiped)/events?frame=none", #"{"type":"swipe","direction":"right"}"#)),
    ("frame", request("GET", "\(still)/frame")),
    ("known", request("GET", "\(still)/frame", headers: [#"If-None-Match: "0""#])),
    ("probe", request("GET", "/livez")),
]

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
func send(_ request: [UInt8], _ count: Int) throws {
    for _ in 0..<count { try client.exchange(request) }
}

if CommandLine.arguments.count == 3, let count = Int(CommandLine.arguments[2]) {
    for kind in kinds where kind.name == CommandLine.arguments[1] { try send(kind.request, count) }
    exit(0)
}
for kind in kinds {
    try send(kind.request, 2000)
    let allocations = allocation_count()
    let start = serverTime()
    let count = 20_000
    try send(kind.request, count)
    let time = (serverTime() - start) / Double(count)
    let each = Double(allocation_count() - allocations) / Double(count)
    let head = String(decoding: try client.exchange(kind.request).prefix(15), as: UTF8.self)
    print("\(kind.name) (\(head.dropFirst(9).prefix(3))): \(each) allocations, \((time * 100).rounded() / 100) µs")
}
