import Foundation

/// The folder of the whole repository, for tests of what it says about the service.
let repository = (0..<4).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
