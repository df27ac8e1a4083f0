import CairnStorage
import CairnValues

/// Reads mixed values, and what lies within them.
final class MixedValues: @unchecked Sendable {
  private let table: Table
  /// The subscripts that lead into the value.
  private let steps: [PropertyPath.Component]
  /// Which objects live, by the number of their class.
  private var live: [UInt32: LiveRows] = [:]

  init(_ table: Table, _ steps: [PropertyPath.Component]) {
    self.table = table
    self.steps = steps
  }

  /// Calls `body` with the values that a stored one leads to until it says no; whether it never did.
  func forEach(_ bytes: UnsafeRawBufferPointer?, _ body: (Value) -> Bool) -> Bool {
    if steps.isEmpty, let bytes, let plain = Value(plainMixed: bytes) { return body(plain) }
    return forEach(Element(mixed: bytes), steps[...], body)
  }

  /// The same with collections as what they are; an object that was deleted is null at the end of the way.
  func forEachElement(_ bytes: UnsafeRawBufferPointer?, _ body: (Element) -> Bool) -> Bool {
    forEachElement(Element(mixed: bytes), steps[...], body)
  }

  private func forEach(
    _ element: Element, _ steps: ArraySlice<PropertyPath.Component>, _ body: (Value) -> Bool
  ) -> Bool {
    forEachElement(element, steps) { body(value($0)) }
  }

  private func forEachElement(
    _ element: Element, _ steps: ArraySlice<PropertyPath.Component>, _ body: (Element) -> Bool
  ) -> Bool {
    guard let step = steps.first else { return body(element) }
    let rest = steps.dropFirst()
    switch (step, element) {
    case (.key(let key), .map(let entries)):
      let entry = entries.last { $0.key.utf8.elementsEqual(key.utf8) }
      return forEachElement(entry?.value ?? .value(.null), rest, body)
    case (.index(let place), .list(let elements)):
      return forEachElement(elements.indices ~= place ? elements[place] : .value(.null), rest, body)
    case (.anyElement, .list(let elements)):
      return elements.allSatisfy { forEachElement($0, rest, body) }
    case (.anyElement, .map(let entries)), (.allValues, .map(let entries)):
      return entries.allSatisfy { forEachElement($0.value, rest, body) }
    case (.allKeys, .map(let entries)):
      return entries.allSatisfy { forEachElement(.value(.string($0.key)), rest, body) }
    case (.anyElement, _), (.allKeys, _), (.allValues, _): return true
    default: return forEachElement(.value(.null), rest, body)
    }
  }

  /// A value as conditions see it: an object that was deleted is null, and a collection something that no
  /// constant equals.
  private func value(_ element: Element) -> Value {
    guard case .value(let value) = element else { return .link(.nowhere) }
    guard case .link(let link) = value else { return value }
    return lives(link) ? value : .null
  }

  private func lives(_ link: Link) -> Bool {
    if let known = live[link.table] { return known.holds(link.key) }
    guard let target = table.sibling(id: link.table) else { return false }
    let rows = LiveRows(target)
    live[link.table] = rows
    return rows.holds(link.key)
  }

  /// Resolves on the snapshot's own thread which objects live.
  func prepare() {
    for schema in table.classes.tables where live[schema.id] == nil {
      if let target = table.sibling(id: schema.id) { live[schema.id] = LiveRows(target) }
    }
    for rows in live.values { rows.prepare() }
  }
}

extension PropertyPath.Component {
  /// Whether the step leads from one mixed value to several.
  var isMany: Bool {
    switch self {
    case .anyElement, .allKeys, .allValues: true
    case .property, .key, .index: false
    }
  }
}

extension Element {
  /// What a mixed property stores; null where that makes no sense.
  init(mixed bytes: UnsafeRawBufferPointer?) {
    guard let bytes, !bytes.isEmpty, let element = try? Element(decoding: bytes) else {
      self = .value(.null)
      return
    }
    self = element
  }
}

extension Value {
  /// A stored mixed value of the types that are read in place; nil for others.
  init?(plainMixed bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= 9 else { return nil }
    switch bytes[0] {
    case ValueType.int.rawValue:
      self = .int(bytes.loadUnaligned(fromByteOffset: 1, as: Int64.self))
    case ValueType.double.rawValue:
      self = .double(bytes.loadUnaligned(fromByteOffset: 1, as: Double.self))
    default: return nil
    }
  }
}

extension Chunk {
  /// The value of a row, mixed ones as what they hold; collections within them as their bytes.
  func plainValue(at row: Int, type: ValueType) -> Value {
    guard type == .mixed, !isRowNull(row) else { return value(at: row, type: type) }
    guard case .value(let value) = Element(mixed: rowBytes(row)) else {
      return value(at: row, type: type)
    }
    return value
  }
}
