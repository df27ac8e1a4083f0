import CairnStorage
import CairnValues

/// What a collection stores for one element: a value, or a collection in a mixed value.
public struct StoredElement {
  /// Null where `nested` is there. A link of a property of objects is a bare key.
  let value: Value
  /// A list or a map.
  let nested: Element?

  init(_ value: Value) {
    self.value = value
    nested = nil
  }

  /// An element of a mixed value, as it is stored.
  init(_ element: Element) {
    switch element {
    case .value(let value):
      self.value = value
      nested = nil
    case .list, .map:
      value = .null
      nested = element
    }
  }

  static var null: StoredElement { StoredElement(.null) }

  /// The element as a mixed value stores it.
  var element: Element { nested ?? .value(value) }

  var isNull: Bool { nested == nil && value.isNull }

  /// How elements stand in a set.
  static func setOrder(_ a: StoredElement, _ b: StoredElement) -> Ordering {
    Value.setOrder(a.value, b.value)
  }
}

extension StoredElement: Hashable {
  /// Whether both hold the same.
  public static func == (a: StoredElement, b: StoredElement) -> Bool {
    a.value == b.value && a.nested == b.nested
  }

  /// The same for equal elements.
  public func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

/// The key of a map: by the bytes of its UTF-8, as it is stored.
struct MapKey: Hashable {
  let text: String

  init(_ text: String) { self.text = text }

  static func == (a: MapKey, b: MapKey) -> Bool { a.text.utf8.elementsEqual(b.text.utf8) }

  func hash(into hasher: inout Hasher) { text.utf8.withBytes { hasher.combine(bytes: $0) } }

  /// How keys stand in a map.
  static func order(_ a: MapKey, _ b: MapKey) -> Ordering { .between(a.text, b.text) }
}
