/// The origins whose scripts may use the server: all of them, or those that are configured.
enum AllowedOrigins: Sendable {
    case all
    case listed(Set<String>)

    /// - Parameter configured: the origins; `*` alone: all.
    init(_ configured: [String]) {
        self = configured == ["*"] ? .all : .listed(Set(configured))
    }

    /// Whether no origin is allowed.
    var isEmpty: Bool {
        if case .listed(let origins) = self { origins.isEmpty } else { false }
    }

    var areAll: Bool {
        if case .all = self { true } else { false }
    }

    func contains(_ origin: String) -> Bool {
        headerValue(for: origin) != nil
    }

    /// The value of Access-Control-Allow-Origin; nil: the origin is not allowed. It comes from the configuration, never from the
    /// request.
    func headerValue(for origin: String) -> String? {
        switch self {
        case .all: "*"
        case .listed(let origins): origins.firstIndex(of: origin).map { origins[$0] }
        }
    }
}
