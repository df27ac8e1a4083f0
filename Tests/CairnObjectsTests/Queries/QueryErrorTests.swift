import CairnTestSupport
import Testing

/// Invalid queries end the program with a message.
@Suite struct QueryErrorTests {
  @Test func twoCollections() {
    let result = Misuse.trap("query: two collections")
    #expect(result.contains("Comparing two collection columns is not permitted."))
  }

  @Test func propertiesBelowAMapKey() {
    let result = Misuse.trap("query: a property below the key of a map")
    #expect(result.contains("Cannot apply key path to Map subscripts."))
  }

  @Test func subqueries() {
    let none = Misuse.trap("subquery: over a link")
    #expect(none.contains("Subqueries must contain a keypath starting with a collection."))
    let keyed = Misuse.trap("subquery: over the key of a map")
    #expect(keyed.contains("Subqueries do not support map subscripts."))
    let two = Misuse.trap("subquery: over two collections")
    #expect(two.contains("A subquery tests one collection"))
    let values = Misuse.trap("subquery: over values")
    #expect(values.contains("Subqueries test properties of objects"))
  }

  @Test func computedProperties() {
    let result = Misuse.trap("query: a computed property")
    #expect(result.contains("A query can only use stored properties"))
    #expect(result.contains("it reads 'name'"))
  }

  @Test func aggregatesOfNothing() {
    let result = Misuse.trap("query: the maximum of a number")
    #expect(result.contains("'@max' requires a collection; the path 'length' contains none."))
  }

  @Test func wholeCollections() {
    let result = Misuse.trap("query: a whole collection")
    #expect(result.contains("A query cannot compare with a value of type"))
  }

  @Test func objectsOfAnotherRealm() {
    let result = Misuse.trap("query: an object of another realm")
    #expect(result.contains("Object must be from the Realm being queried"))
  }
}
