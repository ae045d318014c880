import Foundation
import JSONTesting
import Logging
import Testing

@testable import DeckService

@Suite struct LogLineTests {
    private static let nasty = "a\"b\\c\nd\r\u{0}\u{1B}[31m\u{7F}\u{85}\u{9B}31m ü 🃏 \u{2028}"

    private func logger(_ reader: LogReader, level: Logger.Level = .info) -> Logger {
        var logger = Logger(label: "part") { LineLogHandler(label: $0, output: reader.output) }
        logger.logLevel = level
        return logger
    }

    @Test func aLineOfJSONHasEverythingAsMembers() throws {
        let reader = LogReader(.json)
        var logger = logger(reader)
        logger[metadataKey: "always"] = "here"
        logger.warning(
            "\(Self.nasty)",
            metadata: [
                Self.nasty: "\(Self.nasty)", "list": ["a", ["b": "c"]], "number": .stringConvertible(7),
                "level": "mine",
            ]
        )
        let lines = reader.lines()
        #expect(lines.count == 1)
        let line = json(lines.first ?? "")
        #expect(line["level"] == "warning")
        #expect(line["label"] == "part")
        #expect(line["message"].text == Self.nasty)
        #expect(line[Self.nasty].text == Self.nasty)
        #expect(line["always"] == "here")
        #expect(line["list"] == .array(["a", .object(["b": "c"])]))
        #expect(line["number"].number == 7)
        #expect(line[".level"] == "mine")
        let time = try #require(line["time"].text)
        #expect(time.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil)
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        let age = try style.parse(time).timeIntervalSinceNow
        #expect(abs(age) < 60)
    }

    @Test func aLineOfTextIsOneLineWhateverItHolds() {
        let reader = LogReader(.text)
        logger(reader).notice("\(Self.nasty)", metadata: ["plain": "x=1", "quoted": "\(Self.nasty)", "empty": ""])
        let lines = reader.lines()
        #expect(lines.count == 1)
        let line = lines.first ?? ""
        #expect(line.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
        #expect(line.contains(#"Z notice part: empty="" plain=x=1 quoted="a\"b\\c\nd\r\u0000"#))
    }

    @Test func whatIsBelowTheLevelIsLeftOut() {
        let reader = LogReader(.text)
        let logger = logger(reader, level: .warning)
        logger.info("no")
        logger.error("yes")
        #expect(reader.lines().map { $0.hasSuffix(" yes") } == [true])
    }

    @Test func linesOfManyThreadsNeverMixAndAreNotLost() async {
        let reader = LogReader(.json, capacityBytes: 64 << 20)
        let logger = logger(reader)
        await expectWholeLines(of: reader) { logger.info("\($0)", metadata: ["n": "\($1)"]) }
    }

    @Test func linesOfManyWorkersNeverMixAndAreNotLost() async {
        let reader = LogReader(.json, capacityBytes: 64 << 20)
        await expectWholeLines(of: reader) { message, number in
            let worker = UInt64(number.prefix(1)) ?? 0
            reader.output.write(.info, "part", message, shard: worker) { $0.add("n", number) }
        }
    }

    /// Writes lines in several tasks, and expects that each line is there once and whole, and those of a task in their order.
    private func expectWholeLines(
        of reader: LogReader,
        _ write: @escaping @Sendable (_ message: String, _ number: String) -> Void
    ) async {
        let long = String(repeating: "x", count: 5000)
        let lines = await reader.linesWhileWriting {
            await withTaskGroup { group in
                for writer in 0..<8 {
                    group.addTask { for number in 0..<200 { write(long, "\(writer)-\(number)") } }
                }
            }
        }
        let numbers = lines.compactMap { json($0)["n"].text }
        #expect(numbers.count == 1600)
        #expect(Set(numbers).count == 1600)
        #expect(lines.allSatisfy { json($0)["message"].text == long })
        for writer in 0..<8 {
            let own = numbers.filter { $0.hasPrefix("\(writer)-") }
            #expect(own == (0..<200).map { "\(writer)-\($0)" })
        }
        #expect(reader.output.droppedLines == 0)
    }

    @Test func nobodyWaitsForALogThatIsNotReadAndWhatIsDroppedIsCounted() async {
        let reader = LogReader(.text, capacityBytes: 10_000)
        let logger = logger(reader)
        let long = String(repeating: "x", count: 900)
        // A pipe holds 64 KiB, the buffer ten thousand bytes; the rest has to go.
        for _ in 0..<1000 { logger.info("\(long)") }
        let dropped = reader.output.droppedLines
        #expect(dropped > 500)
        // What was not dropped is there in whole lines.
        let lines = await reader.linesWhileWriting {}
        #expect(lines.count == 1000 - dropped)
        #expect(lines.allSatisfy { $0.hasSuffix(" part: \(long)") })
    }

    @Test func whatIsCriticalIsWrittenBeforeTheCallReturns() throws {
        let pipe = Pipe()
        let output = LogOutput(format: .text, descriptor: pipe.fileHandleForWriting.fileDescriptor)
        let logger = Logger(label: "part") { LineLogHandler(label: $0, output: output) }
        logger.info("before")
        logger.critical("the end")
        var state = pollfd(fd: pipe.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
        #expect(poll(&state, 1, 0) == 1)
        let text = String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self)
        #expect(text.contains(" before\n") && text.hasSuffix(" the end\n"))
        output.close()
        logger.info("too late")
        #expect(output.droppedLines == 1)
    }
}
