import CairnValues

/// Whether the bytes of a collection are such as the writer packs them.
enum CollectionForm {
  /// What is wrong with the bytes of a row; nil: nothing.
  static func objection(_ bytes: UnsafeRawBufferPointer, _ column: ColumnSchema) -> String? {
    guard !bytes.isEmpty else { return nil }
    let isMap = column.collection == .map
    let collection = StoredCollection(bytes, of: column.type, isMap: isMap)
    guard collection.count > 0, collection.takes(bytes.count, isMap: isMap) else {
      return "a collection contradicts itself"
    }
    if let objection = collection.objectionToElements { return objection }
    if isMap, !collection.hasTextKeys { return "a key of a map is no UTF-8" }
    switch column.collection {
    case .map where !collection.hasRisingKeys: return "a map has keys out of order"
    case .set where !collection.isInSetOrder: return "a set has elements out of order"
    default: return nil
    }
  }
}

extension StoredCollection {
  /// Whether its parts fill that many bytes, and no text leads outside them.
  fileprivate func takes(_ size: Int, isMap: Bool) -> Bool {
    guard 4 + nulls.count + keys.count + elements.count == size else { return false }
    if isMap, !Self.hasRisingEnds(count, keys) { return false }
    return Self.width(of: type) > 0 || Self.hasRisingEnds(count, elements)
  }

  private static func hasRisingEnds(_ count: Int, _ texts: UnsafeRawBufferPointer) -> Bool {
    var last: UInt32 = 0
    for index in 0..<count {
      let next = texts.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self)
      guard next >= last else { return false }
      last = next
    }
    return count * 4 + Int(last) == texts.count
  }

  /// What is wrong with an element by itself; nil: nothing.
  fileprivate var objectionToElements: String? {
    for index in 0..<count where !isNull(at: index) {
      switch type {
      case .bool where elements[index] > 1: return "a bool is neither true nor false"
      case .string where !bytes(at: index).isUTF8: return "a text is no UTF-8"
      case .mixed where !Element.isWhole(bytes(at: index)): return "a mixed value makes no sense"
      default: continue
      }
    }
    return nil
  }

  fileprivate var hasTextKeys: Bool {
    (0..<count).allSatisfy { key(at: $0).isUTF8 }
  }

  fileprivate var hasRisingKeys: Bool {
    (1..<max(count, 1)).allSatisfy { Ordering.between(key(at: $0 - 1), key(at: $0)) == .less }
  }
}

extension StoredCollection {
  fileprivate var isInSetOrder: Bool {
    (1..<max(count, 1)).allSatisfy {
      Element.setOrder(element(at: $0 - 1), element(at: $0)) == .less
    }
  }
}

extension Element {
  /// Whether the bytes are one element, and nothing behind it.
  static func isWhole(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let element = try? Element(decoding: bytes) else { return false }
    return element.encoded().elementsEqual(bytes)
  }
}
