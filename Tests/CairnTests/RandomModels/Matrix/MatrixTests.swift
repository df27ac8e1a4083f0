import Cairn
import CairnModelTestSupport
import Foundation
import Testing

/// Every operator on every type of property, with nulls and boundary values, as closure and as
/// string, on the object itself and through a link. Plain Swift over an array is the oracle.
@Suite struct MatrixTests {
  @Test(arguments: MatrixColumn.all) func comparisons(_ column: MatrixColumn) throws {
    let temporary = try TemporaryRealm()
    let wrong = column.check(try MatrixWorld(temporary.realm))
    #expect(wrong.isEmpty, "\(wrong.prefix(5).joined(separator: "\n"))")
  }

  /// Every text operator with every pair of strings.
  @Test func texts() throws {
    let temporary = try TemporaryRealm()
    let world = try MatrixWorld(temporary.realm)
    let options: [(StringOptions, String, String.CompareOptions)] = [
      ([], "", []), (.caseInsensitive, "[c]", .caseInsensitive),
      (
        [.caseInsensitive, .diacriticInsensitive], "[cd]",
        [.caseInsensitive, .diacriticInsensitive]
      ),
    ]
    var wrong: [String] = []
    for (option, letters, foundation) in options {
      func folded(_ text: String) -> [UInt8] {
        Array((foundation.isEmpty ? text : text.folding(options: foundation, locale: nil)).utf8)
      }
      for needle in ["", "a", "A", "É", "ж", "🎉", "b"] {
        let small = folded(needle)
        func check(
          _ name: String, _ found: Results<Cell>, _ holds: ([UInt8]) -> Bool
        ) {
          wrong += world.compare("\(name)\(letters) '\(needle)'", found) { cell in
            guard let text = cell.maybeString else { return false }
            return !needle.isEmpty && holds(folded(text))
          }
        }
        let stored = world.stored
        check("CONTAINS", stored.where { $0.maybeString.contains(needle, options: option) }) {
          text in
          text.indices.contains { text[$0...].starts(with: small) }
        }
        check("BEGINSWITH", stored.filter("maybeString BEGINSWITH\(letters) %@", needle)) {
          $0.starts(with: small)
        }
        check("ENDSWITH", stored.where { $0.maybeString.ends(with: needle, options: option) }) {
          $0.reversed().starts(with: small.reversed())
        }
        wrong += world.compare(
          "==\(letters) '\(needle)'",
          stored.where { $0.maybeString.equals(needle, options: option) }
        ) { $0.maybeString.map { folded($0) == small } ?? false }
      }
    }
    #expect(wrong.isEmpty, "\(wrong.prefix(5).joined(separator: "\n"))")
  }
}

enum Shade: String, PersistableEnum {
  case amber
  case blue
  case coral
}

enum Level: Int, PersistableEnum {
  case low = -1
  case middle = 0
  case high = 7
}

/// A temperature, stored as a number.
struct Celsius: CustomPersistable, Hashable, Comparable {
  var degrees: Double
  init(_ degrees: Double) { self.degrees = degrees }
  init(persistedValue: Double) { degrees = persistedValue }
  var persistableValue: Double { degrees }
  static func < (a: Celsius, b: Celsius) -> Bool { a.degrees < b.degrees }
}

/// A required and an optional property of every simple type.
class Cell: Object {
  @Persisted var number = 0
  @Persisted var bool = false
  @Persisted var int = 0
  @Persisted var int8: Int8 = 0
  @Persisted var int16: Int16 = 0
  @Persisted var int32: Int32 = 0
  @Persisted var int64: Int64 = 0
  @Persisted var float: Float = 0
  @Persisted var double = 0.0
  @Persisted var string = ""
  @Persisted var data = Data()
  @Persisted var date = Date(timeIntervalSinceReferenceDate: 0)
  @Persisted var objectId: ObjectId
  @Persisted var uuid: UUID
  @Persisted var decimal: Decimal128
  @Persisted var shade = Shade.amber
  @Persisted var level = Level.low
  @Persisted var warmth = Celsius(0)
  @Persisted var maybeBool: Bool?
  @Persisted var maybeInt: Int?
  @Persisted var maybeInt8: Int8?
  @Persisted var maybeFloat: Float?
  @Persisted var maybeDouble: Double?
  @Persisted var maybeString: String?
  @Persisted var maybeData: Data?
  @Persisted var maybeDate: Date?
  @Persisted var maybeObjectId: ObjectId?
  @Persisted var maybeUUID: UUID?
  @Persisted var maybeDecimal: Decimal128?
  @Persisted var maybeShade: Shade?
  @Persisted var maybeLevel: Level?
  @Persisted var maybeWarmth: Celsius?
  @Persisted var next: Cell?
}
