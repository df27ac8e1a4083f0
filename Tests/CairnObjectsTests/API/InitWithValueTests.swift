import CairnObjects
import CairnTestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite struct InitWithValueTests {
  @Test func fromADictionary() {
    let book = Book(value: ["title": "Ways", "pages": 12, "isLent": true] as [String: Any])
    #expect(book.title == "Ways")
    #expect(book.pages == 12)
    #expect(book.isLent)
    #expect(book.price == nil)
  }

  @Test func fromAnArrayInTheOrderOfTheDeclaration() {
    let book = Book(value: ["Ways", 12, "2.50", 1.5] as [Any])
    #expect(book.title == "Ways")
    #expect(book.pages == 12)
    #expect(book.price == "2.50")
    #expect(book.weight == 1.5)
    #expect(!book.isLent)
  }

  @Test func fromAnotherObject() {
    let first = Book(value: ["title": "Ways", "pages": 12] as [String: Any])
    let second = Book(value: first)
    #expect(second !== first)
    #expect(second.title == "Ways")
    #expect(second.pages == 12)
  }

  @Test func fromAStructure() {
    struct Draft {
      let title = "Draft"
      let price: Decimal128? = nil
      let unknown = 1
    }
    let book = Book(value: Draft())
    #expect(book.title == "Draft")
    #expect(book.pages == 1)
  }

  @Test func nestedObjects() {
    let reader = Reader(
      value: [
        "name": "Ann", "favourite": ["title": "Ways"],
        "friend": ["name": "Bob", "friend": ["name": "Cy"]] as [String: Any],
      ] as [String: Any])
    #expect(reader.favourite?.title == "Ways")
    #expect(reader.friend?.friend?.name == "Cy")
    #expect(reader.friend?.id != reader.id)
  }

  @Test func everyScalar() throws {
    let date = Date(timeIntervalSinceReferenceDate: 5)
    let id = UUID()
    let book = Book(
      value: [
        "printed": date, "cover": Data([1, 2]), "code": id.uuidString, "price": 3, "weight": 2,
        "found": ["type": "Point", "coordinates": [7.1, 50.7]] as [String: Any],
      ] as [String: Any])
    #expect(book.printed == date)
    #expect(book.cover == Data([1, 2]))
    #expect(book.code == id)
    #expect(book.price == 3)
    #expect(book.weight == 2)
    #expect(book.found == GeoPoint(latitude: 50.7, longitude: 7.1))
  }

  @Test func nullsAndUnknownNames() {
    let price: Decimal128? = nil
    let book = Book(value: ["price": price as Any, "weight": NSNull(), "colour": "red"])
    #expect(book.price == nil)
    #expect(book.weight == nil)
  }

  @Test(arguments: [
    (
      "title", 5 as any Sendable,
      "Invalid value '5' of type 'Int' for 'string' property 'Book.title'."
    ),
    ("pages", "5", "Invalid value '5' of type 'String' for 'int' property 'Book.pages'."),
    ("pages", 3_000_000_000, "for 'int' property 'Book.pages'."),
    ("pages", 1.5, "for 'int' property 'Book.pages'."),
    ("pages", NSNull(), "Invalid value '<null>' of type 'NSNull' for 'int' property 'Book.pages'."),
    ("isLent", 2, "for 'bool' property 'Book.isLent'."),
    ("price", "many", "for 'decimal128?' property 'Book.price'."),
    ("weight", 1e300, "for 'float?' property 'Book.weight'."),
    ("printed", "2001-01-01", "for 'date?' property 'Book.printed'."),
    ("cover", "AQI=", "for 'data?' property 'Book.cover'."),
    ("code", "no", "for 'UUID?' property 'Book.code'."),
    ("found", [91.0, 0.0], "for 'geoPoint?' property 'Book.found'."),
  ])
  func whatDoesNotFit(_ property: String, _ value: any Sendable, _ sentence: String) throws {
    let error = try #require(throws: Realm.Error.self) {
      try Book(validating: [property: value])
    }
    #expect(error.description.contains(sentence))
  }

  @Test func nestedErrorsNameTheNestedProperty() throws {
    let error = try #require(throws: Realm.Error.self) {
      try Reader(validating: ["friend": ["favourite": ["pages": "x"]]])
    }
    #expect(
      error.description
        == "Invalid value 'x' of type 'String' for 'int' property 'Book.pages'. "
        + "Expected an integer that the property can hold.")
    let noObject = try #require(throws: Realm.Error.self) {
      try Reader(validating: ["friend": 5])
    }
    #expect(
      noObject.description
        == "Invalid value '5' of type 'Int' for 'object?' property 'Reader.friend'. "
        + "Expected a dictionary, an array or an object.")
  }

  @Test func tooManyValuesAndNoSource() throws {
    let error = try #require(throws: Realm.Error.self) {
      try Shelf(validating: [1, "a", NSNull(), NSNull(), 5] as [Any])
    }
    #expect(
      error.description
        == "Invalid array input for 'Shelf': more values (5) than properties (4).")
    let other = try #require(throws: Realm.Error.self) { try Shelf(validating: 5) }
    #expect(other.description.hasPrefix("Invalid value '5' to initialize object of type 'Shelf'"))
  }

  @Test func anInvalidLiteralEndsTheProgram() {
    Misuse.trap("init(value:): a value of another type")
  }
}

/// The null of `JSONSerialization`; these tests do not import Foundation.
final class NSNull: Sendable {}
