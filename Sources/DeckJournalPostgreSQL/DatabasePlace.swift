/// The place of a database among those of a journal.
public struct DatabasePlace: Sendable, Hashable, CustomStringConvertible {
    /// Its number, from 0 on.
    public var number: Int
    /// How many databases the journal has.
    public var count: Int

    /// The place of a database that has the whole journal.
    public static let only = DatabasePlace(number: 0, count: 1)

    /// Creates a place.
    public init(number: Int, count: Int) {
        self.number = number
        self.count = count
    }

    /// The place as people count.
    public var description: String { "number \(number + 1) of \(count)" }
}
