import CairnQuery
import CairnStorage
import CairnTestSupport
import CairnValues
import Foundation
import Testing

/// The deepest accepted text parses on a thread with half a megabyte of stack.
@Suite struct SmallStackTests {
  /// Ten nested subqueries, with as many parentheses as the limit allows.
  private static func deepest() -> String {
    let variables = (0..<10).map { "$v\($0)" }
    let open = variables.enumerated().map { level, variable in
      let outer = level == 0 ? "" : variables[level - 1] + "."
      return "SUBQUERY(\(outer)friends, \(variable), "
    }
    let nots = String(repeating: "NOT (", count: 240)
    return open.joined() + nots + "$v9.age > 1" + String(repeating: ")", count: 240)
      + String(repeating: ").@count > 0", count: 10)
  }

  @Test func deepestText() async throws {
    let text = Self.deepest()
    let answer: Result<String, any Error> = await withCheckedContinuation { continuation in
      let thread = Thread {
        continuation.resume(
          returning: Result {
            let read = try CairnQuery.Predicate(parsing: text)
            let bound = try read.bound(to: KennelSchema.person, in: KennelSchema.schema)
            let again = try CairnQuery.Predicate(parsing: read.description)
            return again == read && again.hashValue == read.hashValue ? bound.description : ""
          })
      }
      thread.stackSize = 512 << 10
      thread.start()
    }
    #expect(
      try answer.get().hasSuffix("$x9.age > 1" + String(repeating: ").@count > 0", count: 10)))
  }

  @Test(arguments: [
    String(repeating: "SUBQUERY(a, $x, ", count: 100_000),
    String(repeating: "SUBQUERY(a, $x, SUBQUERY($x.a, $x, ", count: 6),
    "SUBQUERY(a, $x, " + String(repeating: "(", count: 100_000),
    String(repeating: "NOT ", count: 490) + "SUBQUERY(a, $x, "
      + String(repeating: "NOT ", count: 20),
    "a" + String(repeating: "[0]", count: 100_000),
    "a" + String(repeating: ".a", count: 100_000),
    "a" + String(repeating: ".@avg", count: 100_000),
    String(repeating: "ANY ", count: 100_000), String(repeating: "$", count: 100_000),
    String(repeating: "a[", count: 100_000), String(repeating: "#", count: 100_000),
  ])
  func hostileTexts(_ text: String) {
    #expect(throws: CairnQuery.PredicateError.self) { try CairnQuery.Predicate(parsing: text) }
  }

  /// A path as long as the text limit allows parses, and the class rejects its first step.
  @Test func longPaths() throws {
    let path = (["favourite"] + Array(repeating: "a", count: 100_000)).joined(separator: ".")
    let read = try CairnQuery.Predicate(parsing: path + " == 1")
    #expect(try CairnQuery.Predicate(parsing: read.description) == read)
    let error = try #require(throws: CairnQuery.PredicateError.self) {
      try read.bound(to: KennelSchema.person, in: KennelSchema.schema)
    }
    #expect(error.offset == "favourite.".utf8.count)
  }
}
