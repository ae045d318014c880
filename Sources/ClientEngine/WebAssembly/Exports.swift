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

/// A session that a client has opened.
private final class Seat {
    var engine: ClientEngine

    init(_ engine: ClientEngine) {
        self.engine = engine
    }
}

/// The sessions of a module, its input and its output. WebAssembly has one thread.
private final class ModuleState {
    static let mostSessions = 1024
    static let mostInputBytes = 16 << 20

    private var seats: [Seat?] = []
    var input: UnsafeMutableRawPointer?
    var inputCount = 0
    var output: [Double] = []

    /// - Returns: the handle of the session.
    func add(_ engine: ClientEngine) -> Int32 {
        for handle in seats.indices where seats[handle] == nil {
            seats[handle] = Seat(engine)
            return Int32(handle)
        }
        guard seats.count < Self.mostSessions else { return Failure.tooLarge }
        seats.append(Seat(engine))
        return Int32(seats.count - 1)
    }

    func seat(_ handle: Int32) -> Seat? {
        handle >= 0 && handle < seats.count ? seats[Int(handle)] : nil
    }

    func remove(_ handle: Int32) {
        seats[Int(handle)] = nil
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
    guard let seat = state.seat(handle) else { return Failure.unknownHandle }
    return state.add(seat.engine)
}

/// Closes a session.
@_expose(wasm, "close")
@_cdecl("deckd_close")
func close(_ handle: Int32) -> Int32 {
    guard state.seat(handle) != nil else { return Failure.unknownHandle }
    state.remove(handle)
    return 0
}

/// Applies the event in the input, which has this many numbers.
///
/// - Returns: how many numbers the result has.
@_expose(wasm, "apply")
@_cdecl("deckd_apply")
func apply(_ handle: Int32, _ count: Int32) -> Int32 {
    guard let seat = state.seat(handle) else { return Failure.unknownHandle }
    guard count >= 0, count <= state.inputCount / 8, let input = state.input else { return Failure.invalid }
    let event = Array(UnsafeRawBufferPointer(start: input, count: Int(count) * 8).bindMemory(to: Double.self))
    do throws(ClientError) {
        return report(try seat.engine.apply(event))
    } catch {
        return Failure.number(of: error)
    }
}

/// Moves the clock of a session.
///
/// - Returns: how many numbers the notifications have.
@_expose(wasm, "advance")
@_cdecl("deckd_advance")
func advance(_ handle: Int32, _ time: Double) -> Int32 {
    guard let seat = state.seat(handle) else { return Failure.unknownHandle }
    do throws(ClientError) {
        return report(try seat.engine.advance(to: time))
    } catch {
        return Failure.number(of: error)
    }
}

/// Computes a frame.
///
/// - Returns: how many numbers it has.
@_expose(wasm, "frame")
@_cdecl("deckd_frame")
func frame(_ handle: Int32, _ time: Double) -> Int32 {
    guard let seat = state.seat(handle) else { return Failure.unknownHandle }
    do throws(ClientError) {
        return report(try seat.engine.frame(at: time))
    } catch {
        return Failure.number(of: error)
    }
}

/// The time of a session; NaN if there is none with this handle.
@_expose(wasm, "now")
@_cdecl("deckd_now")
func now(_ handle: Int32) -> Double {
    state.seat(handle)?.engine.now ?? .nan
}

private func report(_ output: [Double]) -> Int32 {
    state.output = output
    return Int32(output.count)
}
