import CairnStorage
import CairnSystem
import CairnValues

/// Reads mixed values and their contents.
final class MixedValues {
  private let table: Table
  /// The subscripts that lead into the value.
  private let steps: [PropertyPath.Component]
  /// The live rows by class number.
  private var live: [UInt32: LiveRows] = [:]

  init(_ table: Table, steps: [PropertyPath.Component]) {
    self.table = table
    self.steps = steps
  }

  /// Calls `body` with the values that a stored one leads to, until it returns false. Returns
  /// whether it never did.
  func forEach(_ bytes: UnsafeRawBufferPointer?, body: (Value) -> Bool) -> Bool {
    if steps.isEmpty, let bytes, let plain = Value(plainMixed: bytes) { return body(plain) }
    return forEach(Element(mixed: bytes), steps: steps[...], body: body)
  }

  /// Calls `body` with the elements that a stored value leads to, keeping collections whole, until
  /// it returns false. A deleted object is null at the end of the path.
  func forEachElement(_ bytes: UnsafeRawBufferPointer?, body: (Element) -> Bool) -> Bool {
    forEachElement(Element(mixed: bytes), steps: steps[...], body: body)
  }

  private func forEach(
    _ element: Element, steps: ArraySlice<PropertyPath.Component>, body: (Value) -> Bool
  ) -> Bool {
    forEachElement(element, steps: steps) { body(value($0)) }
  }

  private func forEachElement(
    _ element: Element, steps: ArraySlice<PropertyPath.Component>, body: (Element) -> Bool
  ) -> Bool {
    guard let step = steps.first else { return body(element) }
    let rest = steps.dropFirst()
    switch (step, element) {
    case (.key(let key), .map(let entries)):
      let entry = entries.last { $0.key.utf8.elementsEqual(key.utf8) }
      return forEachElement(entry?.value ?? .value(.null), steps: rest, body: body)
    case (.index(let position), .list(let elements)):
      return forEachElement(
        elements.indices ~= position ? elements[position] : .value(.null), steps: rest, body: body)
    case (.anyElement, .list(let elements)):
      return elements.allSatisfy { forEachElement($0, steps: rest, body: body) }
    case (.anyElement, .map(let entries)), (.allValues, .map(let entries)):
      return entries.allSatisfy { forEachElement($0.value, steps: rest, body: body) }
    case (.allKeys, .map(let entries)):
      return entries.allSatisfy { forEachElement(.value(.string($0.key)), steps: rest, body: body) }
    case (.anyElement, _), (.allKeys, _), (.allValues, _): return true
    default: return forEachElement(.value(.null), steps: rest, body: body)
    }
  }

  /// A value as conditions see it. A deleted object is null, and a collection is a value that no
  /// constant equals.
  private func value(_ element: Element) -> Value {
    guard case .value(let value) = element else { return .link(.nowhere) }
    guard case .link(let link) = value else { return value }
    return lives(link) ? value : .null
  }

  private func lives(_ link: Link) -> Bool {
    if let known = live[link.table] { return known.holds(link.key) }
    guard let target = table.sibling(id: link.table) else { return false }
    assert(!SharedWork.isRunning, "live rows are resolved before threads share them")
    let rows = LiveRows(target)
    live[link.table] = rows
    return rows.holds(link.key)
  }

  /// Resolves the live rows on the snapshot's own thread.
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
  /// The stored content of a mixed property; null if the bytes are invalid.
  init(mixed bytes: UnsafeRawBufferPointer?) {
    guard let bytes, !bytes.isEmpty, let element = try? Element(decoding: bytes) else {
      self = .value(.null)
      return
    }
    self = element
  }
}

extension Value {
  /// A stored mixed value of a type that can be read without decoding; nil for others.
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
  /// The value of a row, with mixed values unwrapped. Collections within them are their bytes.
  func plainValue(at row: Int, type: ValueType) -> Value {
    guard type == .mixed, !isRowNull(row) else { return value(at: row, type: type) }
    guard case .value(let value) = Element(mixed: rowBytes(row)) else {
      return value(at: row, type: type)
    }
    return value
  }
}
