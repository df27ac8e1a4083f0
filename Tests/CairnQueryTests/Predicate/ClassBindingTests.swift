import CairnQuery
import CairnStorage
import CairnValues
import Testing

/// Predicates bound to a class among others: links, collections, aggregates, subqueries, locations.
@Suite struct ClassBindingTests {
  static func bound(_ text: String) throws -> Predicate {
    try Predicate(parsing: text).bound(to: KennelSchema.person, in: KennelSchema.schema)
  }

  @Test(arguments: BoundTexts.cases)
  func bindings(_ text: String, _ expected: String) throws {
    #expect(try Self.bound(text).description == expected)
  }

  @Test(arguments: BoundTexts.cases)
  func bindingTwiceChangesNothing(_ text: String, _ expected: String) throws {
    let once = try Self.bound(text)
    #expect(try once.bound(to: KennelSchema.person, in: KennelSchema.schema) == once)
    #expect(try Self.bound(expected) == once)
  }

  @Test(arguments: PathErrors.cases + CollectionErrors.cases + RefusedForms.cases)
  func messages(_ text: String, _ expected: String) {
    do throws(PredicateError) {
      let bound = try Predicate(parsing: text)
        .bound(to: KennelSchema.person, in: KennelSchema.schema)
      Issue.record("'\(text)' was bound as \(bound)")
    } catch {
      #expect(error.description == expected)
    }
  }
}
