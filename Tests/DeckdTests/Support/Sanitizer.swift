import Foundation

/// Whether the tests and the server are built with a sanitizer, which keeps memory that was freed. So the memory of the
/// process says nothing then; its report has what was lost.
enum Sanitizer {
    static let isOn = ProcessInfo.processInfo.environment["DECKD_TEST_SANITIZER"] != nil

    /// How much longer something may take with a sanitizer.
    static let slowness = isOn ? 10.0 : 1.0
}
