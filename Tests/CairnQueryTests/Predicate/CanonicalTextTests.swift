import CairnQuery
import CairnValues
import Testing

/// Text of every shape, and the one spelling that the printer gives it.
@Suite struct CanonicalTextTests {
  @Test(arguments: CanonicalTexts.cases)
  func canonical(_ text: String, _ canonical: String) throws {
    let predicate = try Predicate(parsing: text)
    #expect(predicate.description == canonical)
    #expect(try Predicate(parsing: canonical) == predicate)
  }

  /// Texts that are canonical already.
  @Test(arguments: CanonicalTexts.unchanged)
  func unchanged(_ text: String) throws {
    #expect(try Predicate(parsing: text).description == text)
  }
}
