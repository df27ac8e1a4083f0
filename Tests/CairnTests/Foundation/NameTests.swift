import Cairn
import Foundation
import Testing

/// Foundation has types of the same names.
@Suite struct NameTests {
  @Test func predicatesBesideFoundation() throws {
    let predicate = try Predicate(
      "born < %@ AND id == %@", Date(timeIntervalSinceReferenceDate: 0), UUID())
    #expect(predicate.description.hasPrefix("born < 2001-01-01 AND id == uuid("))
  }

  @Test func errorsBesideFoundation() {
    #expect(throws: Predicate.Error.self) { try Predicate("born <") }
  }

  /// A literal is known to be an id, so that nothing has to be unwrapped.
  @Test func literalObjectIds() {
    let id = ObjectId("11223344556677889900aabb")
    #expect(id.stringValue == "11223344556677889900aabb")
    let text = "11223344556677889900aabb"
    #expect(ObjectId(text) == id)
  }

  @Test func sortDescriptorsBesideFoundation() {
    let descriptor = SortDescriptor(keyPath: "name", ascending: false)
    #expect(descriptor.reversed() == SortDescriptor(keyPath: "name"))
  }
}
