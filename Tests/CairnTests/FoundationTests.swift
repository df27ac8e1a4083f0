import Cairn
import Foundation
import Testing

/// Foundation has a `Predicate` of its own.
@Suite struct FoundationTests {
  @Test func predicatesBesideFoundation() throws {
    let predicate = try Predicate(
      "born < %@ AND id == %@", Date(timeIntervalSinceReferenceDate: 0), UUID())
    #expect(predicate.description.hasPrefix("born < 2001-01-01 AND id == uuid("))
  }
}
