import DeckEngine
import DeckHost
import Testing
import Yams

@testable import DeckService
@testable import DeckWire

/// The limits and the names that the document gives are those of the code.
struct LimitContractTests {
    private static let ranges: [(path: String, range: ClosedRange<Double>)] = [
        ("Length", WireLimits.lengths), ("Coordinate", EventLimits.coordinates), ("Moment", EventLimits.moments),
        ("EventTime", EventLimits.moments),
        ("Duration", SettingLimits.durations), ("Angle", SettingLimits.angles),
        ("SwipeThresholds/additionalProperties", SettingLimits.thresholds),
        (
            "TapEvent/properties/count",
            Double(EventLimits.tapCounts.lowerBound)...Double(EventLimits.tapCounts.upperBound)
        ),
        ("UndoCount", Double(EventLimits.undoCounts.lowerBound)...Double(EventLimits.undoCounts.upperBound)),
        ("ShuffleEvent/properties/seed", EventLimits.seeds),
        ("CardCount", 0...Double(WireLimits.numberedCards)), ("CardIndex", 0...Double(WireLimits.numberedCards)),
        ("Frame/properties/visibleCount", 1...Double(EngineLimits.visibleCards)),
        ("Frame/properties/canRevert", 0...Double(EngineLimits.historyDepth)),
        ("Frame/properties/canRedo", 0...Double(EngineLimits.historyDepth)),
    ]

    @Test func numbersLieInTheRangesOfTheCode() throws {
        let document = try OpenAPIDocument()
        for (path, range) in Self.ranges {
            let schema = try document.schema(path)
            #expect(schema["minimum"]?.float == range.lowerBound, "\(path)")
            #expect(schema["maximum"]?.float == range.upperBound, "\(path)")
        }
    }

    private static let sizes: [(path: String, keyword: String, size: Int)] = [
        ("schemas/Cards", "maxItems", WireLimits.inlineCards), ("schemas/ClientID", "maxLength", WireLimits.idBytes),
        ("schemas/MeantCard", "maxLength", WireLimits.idBytes),
        ("schemas/Batch/properties/events", "maxItems", WireLimits.eventsPerBatch),
        ("schemas/EventAnswer/properties/results", "maxItems", WireLimits.eventsPerBatch),
        ("schemas/Card/properties/data", "x-max-bytes", WireLimits.cardDataBytes),
        ("schemas/Card/properties/label", "x-max-bytes", WireLimits.labelBytes),
        ("schemas/Card/properties/label", "maxLength", WireLimits.labelBytes),
        ("schemas/Directions", "maxItems", Direction.allCases.count),
        ("schemas/User", "minLength", WireLimits.userLengths.lowerBound),
        ("schemas/User", "maxLength", WireLimits.userLengths.upperBound),
        ("schemas/Metadata", "x-max-bytes", WireLimits.metadataBytes),
    ]

    @Test func nothingIsLongerThanTheCodeAllows() throws {
        let document = try OpenAPIDocument()
        for (path, keyword, size) in Self.sizes {
            #expect(try document.find("components/\(path)")[keyword]?.int == size, "\(path)")
        }
        for name in ["ClientID", "MeantCard"] {
            let pattern = try document.schema(name)["pattern"]?.string
            #expect(pattern == "^[A-Za-z0-9_-]{1,\(WireLimits.idBytes)}$", "\(name)")
        }
        let key = try document.find("components/parameters/IdempotencyKey/schema")["pattern"]?.string
        #expect(key?.hasSuffix("){1,\(OperationKey.longestKeyBytes)}\"$") == true)
    }

    private static func names<Choice: NamedChoice>(_: Choice.Type) -> [String] {
        Choice.allCases.map(\.name.description)
    }

    private static let names: [(path: String, names: [String])] = [
        ("Direction", names(Direction.self)), ("Phase", names(DragEvent.Phase.self)), ("Clock", names(ClockKind.self)),
        ("Preset", names(Preset.self)), ("EventType", EventKind.all.map(\.name.description)),
        ("Face", names(CardFace.self)), ("Curve", Curve.named.map(\.name.description)),
        ("CardRole", names(FrameCard.Role.self)), ("MotionProperty", names(MotionStep.Property.self)),
    ]

    @Test func choicesHaveTheNamesOfTheCode() throws {
        let document = try OpenAPIDocument()
        for (path, names) in Self.names {
            #expect(try document.choices("components/schemas/\(path)").sorted() == names.sorted(), "\(path)")
        }
        let origins = try document.choices("components/schemas/RevertDirection")
        #expect(origins == ["origin"] + Self.names(Direction.self))
    }

    @Test func aFramesMembersAreThoseOfTheCode() throws {
        let document = try OpenAPIDocument()
        let names = FrameMember.allCases.map(\.name.description)
        let members = try document.members("components/schemas/Frame/properties")
        #expect(members.map(\.name) == names.sorted())
        let required = try #require(try document.schema("Frame")["required"]?.sequence)
        #expect(required.compactMap(\.string).sorted() == names.sorted())
        #expect(try document.choices("components/schemas/FrameMember").sorted() == names.sorted())
        #expect(try document.find("components/parameters/Fields/schema/items") == document.schema("FrameMember"))
        // A view has the same members, optional ones, and those that a request adds.
        let added = ["notifications", "motion", "accessibility"]
        let viewed = try document.members("components/schemas/FrameView/properties")
        #expect(viewed.map(\.name) == (names + added).sorted())
        for (name, value) in members where name != "cards" {
            #expect(viewed.first { $0.name == name }?.value == value, "\(name)")
        }
    }

    @Test func aCardOfAViewHasTheMembersOfAFramesCard() throws {
        let document = try OpenAPIDocument()
        let members = try document.members("components/schemas/FrameCard/properties")
        let viewed = try document.members("components/schemas/FrameCardView/properties")
        #expect(viewed.map(\.name) == (members.map(\.name) + ["data", "label", "position"]).sorted())
        for (name, value) in members {
            #expect(viewed.first { $0.name == name }?.value == value, "\(name)")
        }
        #expect(try document.schema("FrameCard/required") == document.schema("FrameCardView/required"))
    }

    @Test func anEventsMembersAreThoseOfTheCode() throws {
        let document = try OpenAPIDocument()
        let schemas = try #require(try document.schema("Event")["oneOf"]?.sequence).map { try document.resolve($0) }
        #expect(schemas.count == EventKind.all.count)
        for kind in EventKind.all {
            let schema = try #require(
                schemas.first { $0["properties"]?["type"]?["const"]?.string == kind.name.description },
                "\(kind.name)"
            )
            let members = try #require(schema["properties"]?.mapping).keys.compactMap(\.string)
            #expect(members.sorted() == kind.members.map(\.description).sorted(), "\(kind.name)")
            #expect(schema["additionalProperties"]?.bool == false)
            let mapping = try document.schema("Event/discriminator/mapping")[kind.name.description]
            #expect(try document.resolve(Node(["$ref": try #require(mapping)])) == schema)
        }
    }
}
