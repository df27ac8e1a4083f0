import CairnTestSupport
import Testing

/// Programming errors with collections end the program with Realm's messages.
@Suite struct CollectionErrorTests {
  @Test func indexesBeyondTheEnd() {
    let read = Misuse.trap("list: reading beyond the end")
    #expect(read.contains("Index 0 is out of bounds (must be less than 0)."))
    let insert = Misuse.trap("list: inserting beyond the end")
    #expect(insert.contains("Index 2 is out of bounds (must be less than 1)."))
    let remove = Misuse.trap("list: removing the last value of none")
    #expect(remove.contains("It is not possible to remove more objects (1)"))
    Misuse.trap("list: moving a value that is not there")
    Misuse.trap("set: reading beyond the end")
    Misuse.trap("list: swapping values that are not there")
  }

  @Test func writingOutsideATransaction() {
    let result = Misuse.trap("list: appending outside of a transaction")
    #expect(result.contains("Attempting to modify object outside of a write transaction"))
  }

  @Test func unmanagedCollectionsCannotBeQueried() {
    let result = Misuse.trap("list: filtering objects outside of a realm")
    #expect(result.contains("This method may only be called on List<Station> instances"))
  }

  @Test func valuesHaveNoProperties() {
    let result = Misuse.trap("list: filtering values")
    #expect(result.contains("Querying is currently only implemented for arrays of Realm Objects"))
    let sort = Misuse.trap("list: sorting values by a property")
    #expect(sort.contains("arrays of 'int' can only be sorted on 'self'"))
  }

  @Test func keyPathsThatCannotBeSortedBy() {
    let missing = Misuse.trap("sorting: by a missing property")
    #expect(
      missing.contains(
        "Cannot sort on key path 'home.nmae': property 'Station.nmae' does not exist."))
    let link = Misuse.trap("sorting: by a link")
    #expect(link.contains("of type 'object' cannot be the final property in the key path."))
    let list = Misuse.trap("sorting: by a property of a list")
    #expect(
      list.contains(
        "Cannot sort on key path 'stops.name': property 'Train.stops' is of unsupported type 'array'."
      ))
    let through = Misuse.trap("distinct: by a property of a string")
    #expect(through.contains("of type 'string' may only be the final property"))
  }

  @Test func sectionsWithoutAnOrder() {
    let none = Misuse.trap("sections: without an order")
    #expect(none.contains("There must be at least one SortDescriptor"))
    let other = Misuse.trap("sections: in another order")
    #expect(other.contains("must match the primary sort descriptor"))
    let link = Misuse.trap("sections: by a link")
    #expect(link.contains("Links are not supported as section keys."))
  }

  @Test func sumsOfNonNumericProperties() {
    let result = Misuse.trap("sum: of strings")
    #expect(result.contains("Operation 'sum' not supported for string property 'Station.name'"))
  }
}
