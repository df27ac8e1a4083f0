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

  @Test func sortDescriptorsBesideFoundation() {
    let descriptor = SortDescriptor(keyPath: "name", ascending: false)
    #expect(descriptor.reversed() == SortDescriptor(keyPath: "name"))
  }
}
