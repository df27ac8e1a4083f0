import Cairn
import Foundation
import Testing

/// Every operator on every type of property, with nulls and boundary values, as closure and as text, on the
/// object itself and through a link: each answer is that of plain Swift over an array.
@Suite struct MatrixTests {
  @Test(arguments: MatrixColumn.all) func comparisons(_ column: MatrixColumn) throws {
    let temporary = try TemporaryRealm()
    let wrong = column.check(try MatrixWorld(temporary.realm))
    #expect(wrong.isEmpty, "\(wrong.prefix(5).joined(separator: "\n"))")
  }

  /// Texts to look for, in texts to look into.
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
