// The functions of the WebAssembly module. A caller writes its input where `reserve` says, and reads the output where
// `output` says. A negative result is an error. No input traps: every number is checked here or by the reader that gets it.

/// Why a call did nothing.
private enum Failure {
    static let invalid: Int32 = -1
    static let timeRunsBackwards: Int32 = -2
    static let needsServer: Int32 = -3
    static let unknownHandle: Int32 = -4
    static let unknownFormat: Int32 = -5
    static let tooLarge: Int32 = -6

    static func number(of error: ClientError) -> Int32 {
        switch error {
        case .invalid: invalid
        case .timeRunsBackwards: timeRunsBackwards
        case .needsServer: needsServer
        }
    }
}

/// The sessions of a module, its input and its output. WebAssembly has one thread.
private final class ModuleState {
    static let mostSessions = 1024
    static let mostInputBytes = 16 << 20

    var engines: [ClientEngine?] = []
    var input: UnsafeMutableRawPointer?
    var inputCount = 0
    var output: [Double] = []

    func add(_ engine: ClientEngine) -> Int32 {
        if let free = engines.firstIndex(where: { $0 == nil }) {
            engines[free] = engine
            return Int32(free)
        }
        guard engines.count < Self.mostSessions else { return Failure.tooLarge }
        engines.append(engine)
        return Int32(engines.count - 1)
    }

    func contains(_ handle: Int32) -> Bool {
        handle >= 0 && handle < engines.count && engines[Int(handle)] != nil
    }
}

nonisolated(unsafe) private let state = ModuleState()

/// Makes room for input.
///
/// - Returns: where it is; 0 if there is not that much room.
@_expose(wasm, "reserve")
@_cdecl("deckd_reserve")
func reserve(_ count: Int32) -> Int32 {
    guard count >= 0, count <= ModuleState.mostInputBytes else { return 0 }
    state.input?.deallocate()
    let room = UnsafeMutableRawPointer.allocate(byteCount: max(8, Int(count)), alignment: 8)
    state.input = room
    state.inputCount = Int(count)
    return Int32(truncatingIfNeeded: Int(bitPattern: room))
}

/// Where the output of the last call is.
@_expose(wasm, "output")
@_cdecl("deckd_output")
func output() -> Int32 {
    state.output.withUnsafeBufferPointer { Int32(truncatingIfNeeded: Int(bitPattern: $0.baseAddress)) }
}

/// Opens a session from the client snapshot in the input.
///
/// - Returns: its handle.
@_expose(wasm, "open")
@_cdecl("deckd_open")
func open(_ count: Int32) -> Int32 {
    guard count >= 0, count <= state.inputCount, let input = state.input else { return Failure.invalid }
    let bytes = Array(UnsafeRawBufferPointer(start: input, count: Int(count)))
    do throws(SnapshotError) {
        return state.add(try ClientEngine(snapshot: bytes[...]))
    } catch .unknownFormat {
        return Failure.unknownFormat
    } catch {
        return Failure.invalid
    }
}

/// Copies a session.
///
/// - Returns: the handle of the copy.
@_expose(wasm, "copy")
@_cdecl("deckd_copy")
func copy(_ handle: Int32) -> Int32 {
    guard state.contains(handle), let engine = state.engines[Int(handle)] else { return Failure.unknownHandle }
    return state.add(engine)
}

/// Closes a session.
@_expose(wasm, "close")
@_cdecl("deckd_close")
func close(_ handle: Int32) -> Int32 {
    guard state.contains(handle) else { return Failure.unknownHandle }
    state.engines[Int(handle)] = nil
    return 0
}

/// Applies the event in the input, which has this many numbers.
///
/// - Returns: how many numbers the result has.
@_expose(wasm, "apply")
@_cdecl("deckd_apply")
func apply(_ handle: Int32, _ count: Int32) -> Int32 {
    guard state.contains(handle) else { return Failure.unknownHandle }
    guard count >= 0, count <= state.inputCount / 8, let input = state.input else { return Failure.invalid }
    let event = Array(UnsafeRawBufferPointer(start: input, count: Int(count) * 8).bindMemory(to: Double.self))
    return report { () throws(ClientError) in
        guard let output = try state.engines[Int(handle)]?.apply(event) else { throw .invalid }
        return output
    }
}

/// Moves the clock of a session.
///
/// - Returns: how many numbers the notifications have.
@_expose(wasm, "advance")
@_cdecl("deckd_advance")
func advance(_ handle: Int32, _ time: Double) -> Int32 {
    guard state.contains(handle) else { return Failure.unknownHandle }
    return report { () throws(ClientError) in
        guard let output = try state.engines[Int(handle)]?.advance(to: time) else { throw .invalid }
        return output
    }
}

/// Computes a frame.
///
/// - Returns: how many numbers it has.
@_expose(wasm, "frame")
@_cdecl("deckd_frame")
func frame(_ handle: Int32, _ time: Double) -> Int32 {
    guard state.contains(handle) else { return Failure.unknownHandle }
    return report { () throws(ClientError) in
        guard let output = try state.engines[Int(handle)]?.frame(at: time) else { throw .invalid }
        return output
    }
}

/// The time of a session; NaN if there is none with this handle.
@_expose(wasm, "now")
@_cdecl("deckd_now")
func now(_ handle: Int32) -> Double {
    guard state.contains(handle) else { return .nan }
    return state.engines[Int(handle)]?.now ?? .nan
}

private func report(_ body: () throws(ClientError) -> [Double]) -> Int32 {
    do throws(ClientError) {
        state.output = try body()
        return Int32(state.output.count)
    } catch {
        return Failure.number(of: error)
    }
}
