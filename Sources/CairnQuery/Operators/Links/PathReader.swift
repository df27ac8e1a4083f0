import CairnStorage
import CairnValues

/// Reads the values at the end of a path row by row, for conditions without a chunk-wise filter.
final class PathReader {
  let linkPath: LinkPath
  private let mixed: MixedValues?

  init(_ linkPath: LinkPath) {
    self.linkPath = linkPath
    mixed = linkPath.isMixed ? MixedValues(linkPath.endTable, steps: linkPath.below) : nil
  }

  /// Calls `body` with every value, and with null for a null link on the path, until it returns
  /// false. Returns whether it never did.
  func forEach(_ key: Int, body: (Value) -> Bool) -> Bool { walk(0, key: key, body: body) }

  /// The single value of a path that passes through no collection.
  func value(_ key: Int) -> Value {
    var found = Value.null
    _ = forEach(key) { value in
      found = value
      return false
    }
    return found
  }

  /// Calls `body` with every mixed value, keeping collections whole, until it returns false.
  /// Returns whether it never did.
  func forEachElement(_ key: Int, body: (Element) -> Bool) -> Bool {
    walkElements(0, key: key, body: body)
  }

  private func walkElements(_ position: Int, key: Int, body: (Element) -> Bool) -> Bool {
    guard position < linkPath.linkSteps.count else { return readElements(key, body: body) }
    return linkPath.linkSteps[position].forEach(key) { target in
      if let target { return walkElements(position + 1, key: target, body: body) }
      return linkPath.isMany(behind: position) || body(.value(.null))
    }
  }

  /// Reads the mixed values of an object at the end of the link steps.
  private func readElements(_ key: Int, body: (Element) -> Bool) -> Bool {
    guard let mixed, let column = linkPath.end.column else { return body(.value(.null)) }
    let row = RowAddress(key).row
    let chunk = column.chunk(forRow: key)
    func read(_ elements: StoredCollection, at position: Int) -> Bool {
      mixed.forEachElement(
        elements.isNull(at: position) ? nil : elements.bytes(at: position), body: body)
    }
    switch linkPath.end {
    case .elements:
      let elements = chunk.collection(at: row, of: column.schema)
      return (0..<elements.count).allSatisfy { read(elements, at: $0) }
    case .entry(_, let key):
      let map = chunk.collection(at: row, of: column.schema)
      return map.index(ofKey: key).map { read(map, at: $0) }
        ?? mixed.forEachElement(nil, body: body)
    case .column, .object, .keys:
      return mixed.forEachElement(chunk.isRowNull(row) ? nil : chunk.rowBytes(row), body: body)
    }
  }

  private func walk(_ position: Int, key: Int, body: (Value) -> Bool) -> Bool {
    guard position < linkPath.linkSteps.count else { return read(key, body: body) }
    return linkPath.linkSteps[position].forEach(key) { target in
      if let target { return walk(position + 1, key: target, body: body) }
      return linkPath.isMany(behind: position) || body(.null)
    }
  }

  /// Reads the values of an object at the end of the link steps.
  private func read(_ key: Int, body: (Value) -> Bool) -> Bool {
    let row = RowAddress(key).row
    let index = RowAddress(key).chunk
    switch linkPath.end {
    case .object: return body(.link(Link(table: linkPath.endTable.schema.id, key: key)))
    case .column(let column):
      let chunk = column.chunk(index)
      if let mixed {
        return mixed.forEach(chunk.isRowNull(row) ? nil : chunk.rowBytes(row), body: body)
      }
      return body(chunk.value(at: row, type: column.schema.type))
    case .elements(let column):
      let elements = column.chunk(index).collection(at: row, of: column.schema)
      return (0..<elements.count).allSatisfy { read(elements, at: $0, body: body) }
    case .entry(let column, let key):
      let map = column.chunk(index).collection(at: row, of: column.schema)
      guard let position = map.index(ofKey: key) else {
        return mixed?.forEach(nil, body: body) ?? body(.null)
      }
      return read(map, at: position, body: body)
    case .keys(let column):
      let map = column.chunk(index).collection(at: row, of: column.schema)
      return (0..<map.count).allSatisfy { body(.string(map.keyText(at: $0))) }
    }
  }

  private func read(
    _ elements: StoredCollection, at position: Int, body: (Value) -> Bool
  ) -> Bool {
    guard let mixed else { return body(elements.value(at: position)) }
    return mixed.forEach(
      elements.isNull(at: position) ? nil : elements.bytes(at: position), body: body)
  }

  /// The number of objects or values.
  func count(_ key: Int) -> Int {
    var total = 0
    forEachEnd(0, key: key) { total += $0.map(countAtEnd) ?? 1 }
    return total
  }

  /// Calls `body` with every object at the end of the link steps.
  func forEachObject(_ key: Int, body: (Int) -> Void) {
    forEachEnd(0, key: key) { if let found = $0 { body(found) } }
  }

  private func forEachEnd(_ position: Int, key: Int, body: (Int?) -> Void) {
    guard position < linkPath.linkSteps.count else { return body(key) }
    let linkStep = linkPath.linkSteps[position]
    _ = linkStep.forEach(key) { target in
      if let target {
        forEachEnd(position + 1, key: target, body: body)
      } else if linkStep.isMany, position + 1 == linkPath.linkSteps.count {
        body(nil)
      }
      return true
    }
  }

  private func countAtEnd(_ key: Int) -> Int {
    switch linkPath.end {
    case .object: return 1
    case .elements(let column) where linkPath.below.isEmpty, .keys(let column):
      return column.chunk(RowAddress(key).chunk)
        .collection(at: RowAddress(key).row, of: column.schema).count
    case .column, .elements, .entry:
      var total = 0
      _ = read(key) { _ in
        total += 1
        return true
      }
      return total
    }
  }

  /// Resolves the data that other threads will read for rows of these chunks, on the snapshot's own
  /// thread.
  func prepare(_ chunks: [Int]) {
    for linkStep in linkPath.linkSteps { linkStep.prepare() }
    mixed?.prepare()
    guard let column = linkPath.end.column else { return }
    if linkPath.linkSteps.isEmpty {
      for chunk in chunks { _ = column.chunk(chunk) }
    } else {
      column.prepareAll(of: linkPath.endTable)
    }
  }
}

/// A condition on the lists and maps in mixed values: equality with a constant, or its negation.
final class ElementFilter: Filter {
  private let reader: PathReader
  private let quantifier: PropertyPath.Quantifier
  private let constant: CollectionConstant
  private let isEqual: Bool
  private let makeDescription: () -> String

  init(
    _ reader: PathReader, quantifier: PropertyPath.Quantifier, constant: CollectionConstant,
    isEqual: Bool, description: @autoclosure @escaping () -> String
  ) {
    self.reader = reader
    self.quantifier = quantifier
    self.constant = constant
    self.isEqual = isEqual
    makeDescription = description
  }

  override var cost: Double { 200 }
  override var description: String { makeDescription() }

  override func refine(_ selection: inout Selection, chunk index: Int, scratch: ScratchBuffers) {
    let first = RowAddress.firstKey(ofChunk: index)
    let isAll = quantifier == .all
    selection.keep { word, selected in
      selected.keepingEach { bit in
        reader.forEachElement(first | word << 6 | bit) {
          (constant.equals($0) == isEqual) == isAll
        } == isAll
      }
    }
  }

  override func prepare(_ chunks: [Int]) { reader.prepare(chunks) }
}
