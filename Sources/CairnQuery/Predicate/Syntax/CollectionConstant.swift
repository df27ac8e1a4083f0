import CairnStorage
import CairnValues

/// A list or a map constant that mixed values are compared with, nested to any depth.
package indirect enum CollectionConstant: Hashable, Sendable {
  /// A single value.
  case value(Value)
  /// The elements of a list.
  case list([CollectionConstant])
  /// The entries in the code point order of their keys, each key once.
  case map([Entry])

  /// A key and its value in a map.
  package struct Entry: Hashable, Sendable {
    let key: String
    let value: CollectionConstant

    /// Whether the keys have the same UTF-8 bytes and the values are the same.
    package static func == (a: Entry, b: Entry) -> Bool {
      a.key.utf8.elementsEqual(b.key.utf8) && a.value == b.value
    }

    /// Hashes the key's UTF-8 bytes and the value.
    package func hash(into hasher: inout Hasher) {
      for byte in key.utf8 { hasher.combine(byte) }
      hasher.combine(value)
    }
  }

  /// A map of entries in any order. If a key occurs more than once, the last entry wins.
  package static func entries(_ entries: [(key: String, value: CollectionConstant)]) -> Self {
    var kept: [Entry] = []
    for (key, value) in entries {
      kept.removeAll { $0.key.utf8.elementsEqual(key.utf8) }
      kept.append(Entry(key: key, value: value))
    }
    return .map(kept.sorted { Ordering.between($0.key, and: $1.key) == .less })
  }

  /// Whether a stored value is equal: a list in the same order, a map with the same keys. Numbers
  /// are equal by value, and nulls to one another.
  func equals(_ element: Element) -> Bool {
    switch (self, element) {
    case (.value(let constant), .value(let value)):
      constant.isNull ? value.isNull : value.equals(constant)
    case (.list(let constants), .list(let elements)):
      constants.count == elements.count && zip(constants, elements).allSatisfy { $0.equals($1) }
    case (.map(let constants), .map(let entries)):
      constants.count == entries.count
        && constants.allSatisfy { constant in
          let entry = entries.last { $0.key.utf8.elementsEqual(constant.key.utf8) }
          return entry.map { constant.value.equals($0.value) } ?? false
        }
    default: false
    }
  }

  /// The constant in the predicate language: `{1, 'x'}`, `{'k': 1}`, `{:}` for an empty map.
  var text: String {
    switch self {
    case .value(let value): return ConstantText.text(of: value)
    case .list(let elements): return "{" + elements.map(\.text).joined(separator: ", ") + "}"
    case .map(let entries):
      let texts = entries.map { "\(ConstantText.quoted($0.key)): \($0.value.text)" }
      return entries.isEmpty ? "{:}" : "{" + texts.joined(separator: ", ") + "}"
    }
  }
}
