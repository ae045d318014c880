import FileTesting
import Foundation
import Testing

/// The documents' pictures are what a server draws.
@Suite struct PictureTests {
    private let kept = Command.repository.appending(path: "docs/pictures")

    @Test func thePicturesOfTheDocumentsAreWhatTheirScriptMakes() throws {
        let folder = try TemporaryFolder()
        let server = try RunningServer()
        let result = try Command.run(kept.appending(path: "make").path, ["\(server.url())", folder.path])
        #expect(result.status == 0, "\(result.errors)")
        let made = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        let names = try FileManager.default.contentsOfDirectory(atPath: kept.path).filter { $0.hasSuffix(".svg") }
        #expect(made == names.sorted() && !made.isEmpty)
        for name in made {
            let (new, old) = (folder.url(name), kept.appending(path: name))
            #expect(
                try Data(contentsOf: new) == Data(contentsOf: old),
                "docs/pictures/make must be run again: \(name)"
            )
        }
    }

    @Test func eachPictureIsShownSomewhere() throws {
        let documents = ["README.md", "docs/engine.md"]
        let text = try documents.map { name in
            try String(contentsOf: Command.repository.appending(path: name), encoding: .utf8)
        }
        for name in try FileManager.default.contentsOfDirectory(atPath: kept.path) where name.hasSuffix(".svg") {
            #expect(text.joined().contains("pictures/\(name)"), "\(name)")
        }
    }
}
