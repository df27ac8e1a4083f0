import CairnGeometry
import CairnQuery
import CairnTestSupport
import CairnValues
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Every example in docs/predicates.md parses, binds to its classes and prints.
@Suite struct PredicateDocumentTests {
  private static let examples: [String] = {
    guard let text = try? Repository.text("docs/predicates.md") else { return [] }
    var examples: [String] = []
    var isExample = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        isExample = line == "```predicate"
      } else if isExample {
        examples.append(String(line))
      }
    }
    return examples
  }()

  private static let dog = Value.link(Link(table: 2, key: 7))

  /// The arguments of the examples with placeholders.
  private static let arguments: [String: [PredicateArgument]] = [
    "name == %@ AND age > %d": [.value(.string("Ann")), .value(.int(5))],
    "%K == %@": [.value(.string("favourite.name")), .value(.string("Rex"))],
    "age BETWEEN %@": [.list([.int(1), .int(2)])],
    "age IN %@": [.range(.int(1), .int(2), isClosed: true)],
    "home IN %@": GeoCircle(center: (48, 16), radiusInRadians: 0.1).map { [.shape(.circle($0))] }
      ?? [],
    "favourite == %@": [.value(dog)],
    "%@ IN dogs": [.value(dog)],
    "limits[$1] > $0": [.value(.int(5)), .value(.string("speed"))],
    "SUBQUERY(dogs, $d, $d.age > %@).@count > 0": [.value(.int(5))],
  ]

  @Test func thePageHasExamples() {
    #expect(Self.examples.count > 60)
    #expect(Self.arguments.keys.allSatisfy(Self.examples.contains))
  }

  @Test(arguments: examples)
  func example(_ text: String) throws {
    let predicate = try CairnQuery.Predicate(
      parsing: text, arguments: Self.arguments[text] ?? [])
    #expect(try CairnQuery.Predicate(parsing: predicate.description) == predicate)
    _ = try predicate.bound(to: KennelSchema.person, in: KennelSchema.schema)
  }
}
