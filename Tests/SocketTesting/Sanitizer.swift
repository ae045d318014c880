import Foundation

/// Whether the tests and the server are built with a sanitizer, which keeps memory that was freed. So the memory of the
/// process says nothing then; its report has what was lost.
public enum Sanitizer {
    /// Whether there is one.
    public static let isOn = ProcessInfo.processInfo.environment["DECKD_TEST_SANITIZER"] != nil

    /// How many times as long something may take.
    public static let slowness = isOn ? 10 : 1

    /// After how many minutes a test has failed that waits for something that does not happen. A test that takes a second takes
    /// minutes on a busy machine.
    public static let patienceMinutes = 10 * slowness
}
