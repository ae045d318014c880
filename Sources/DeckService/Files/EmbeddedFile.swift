import CEmbeddedFiles
import Hashing
import MicroHTTP

/// A file that is embedded in the program, so that no file must be installed beside it.
struct EmbeddedFile: Sendable {
    /// The path at which it is served.
    var path: String
    /// Its media type.
    var type: String
    var body: ResponseBody
    /// The bytes compressed with gzip; nil: the file is not sent compressed.
    var gzip: ResponseBody?
    /// Further headers of the response.
    var headers: HeaderFields
    /// The entity tag of the bytes, a hash of them.
    var entityTag: String

    init(path: String, type: String, bytes: [UInt8], gzip: [UInt8]? = nil, headers: HeaderFields = HeaderFields()) {
        self.path = path
        self.type = type
        body = ResponseBody(lasting: bytes)
        self.gzip = gzip.map { ResponseBody(lasting: $0) }
        self.headers = headers
        entityTag = "\"\(SHA256.hexadecimal(SHA256.hash(bytes).prefix(16)))\""
    }

    /// The entity tag of the compressed bytes.
    var gzipEntityTag: String {
        "\(entityTag.dropLast())-gzip\""
    }

    /// The description of everything that is served, `docs/openapi.yaml`.
    static let openAPI = EmbeddedFile(
        path: "/openapi.yaml",
        type: "application/yaml",
        bytes: bytes(of: "openapi.yaml")
    )

    /// The same description as JSON, for programs that read no YAML. `Tests/Contract/document.py --write` makes the file,
    /// and a test compares the two.
    static let openAPIAsJSON = EmbeddedFile(
        path: "/openapi.json",
        type: "application/json",
        bytes: bytes(of: "openapi.json")
    )

    /// The bytes of a file that `Sources/CEmbeddedFiles` names.
    static func bytes(of name: String) -> [UInt8] {
        let files = UnsafeBufferPointer(start: embedded_files(), count: embedded_file_count)
        guard let file = files.first(where: { String(cString: $0.name) == name }) else {
            preconditionFailure("\(name) is not embedded.")
        }
        return Array(UnsafeBufferPointer(start: file.bytes, count: file.length))
    }
}
