extension TextMatcher {
  /// The test of a text that is held against the operand byte by byte.
  func matchesBytes(_ text: UnsafeRawBufferPointer) -> Bool {
    matches(text) { $0 }
  }

  /// The test of a text of ASCII alone, upper case as lower where case does not count.
  func matchesASCII(_ text: UnsafeRawBufferPointer) -> Bool {
    guard folding.options.contains(.caseInsensitive) else { return matchesBytes(text) }
    return matches(text) { $0 &- UInt8(ascii: "A") < 26 ? $0 | 0x20 : $0 }
  }

  @inline(__always)
  private func matches(_ text: UnsafeRawBufferPointer, _ fold: (UInt8) -> UInt8) -> Bool {
    let text = text.assumingMemoryBound(to: UInt8.self)
    if operation == .like {
      return pattern.withUnsafeBufferPointer {
        Wildcards.matches(
          text, $0, fold: { UInt32(fold($0)) }, begins: { $0 & 0xC0 != 0x80 })
      }
    }
    return bytes.withUnsafeBufferPointer { part in
      TextMatcher.compare(operation, text, part, fold)
    }
  }

  @inline(__always)
  static func compare<Unit: Equatable>(
    _ operation: Operation, _ text: UnsafeBufferPointer<Unit>, _ part: UnsafeBufferPointer<Unit>,
    _ fold: (Unit) -> Unit
  ) -> Bool {
    let spare = text.count - part.count
    guard spare >= 0 else { return false }
    switch operation {
    case .equals: return spare == 0 && stands(part, in: text, at: 0, fold)
    case .beginsWith: return stands(part, in: text, at: 0, fold)
    case .endsWith: return stands(part, in: text, at: spare, fold)
    case .contains:
      for start in 0...spare where stands(part, in: text, at: start, fold) { return true }
      return false
    case .like: return false
    }
  }

  @inline(__always)
  private static func stands<Unit: Equatable>(
    _ part: UnsafeBufferPointer<Unit>, in text: UnsafeBufferPointer<Unit>, at start: Int,
    _ fold: (Unit) -> Unit
  ) -> Bool {
    for place in 0..<part.count where fold(text[start + place]) != part[place] { return false }
    return true
  }
}
