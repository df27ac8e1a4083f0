import CairnValues

/// Texts as sequences of folded code points, one unit each. Where marks are ignored, texts that are
/// canonically equivalent have the same units.
///
/// If one code point folds to several, all units but the first carry `continuation`, so that `?`
/// finds the boundaries of the text's code points.
enum FoldedText {
  static let continuation: UInt32 = 1 << 31

  /// Calls `body` with the units of a text. The memory is valid during the call only.
  static func withUnits<Result>(
    of bytes: UnsafeRawBufferPointer, _ folding: Folding,
    body: (UnsafeBufferPointer<UInt32>) -> Result
  ) -> Result {
    // At most three code points per byte: a code point that folds to several has at least two bytes
    // of UTF-8, and none folds to more than three.
    let capacity = bytes.count * 3 + 1
    return withUnsafeTemporaryAllocation(of: UInt32.self, capacity: capacity) { units in
      var count = 0
      decode(bytes) { append($0, to: units, count: &count, folding) }
      return body(UnsafeBufferPointer(rebasing: units[..<count]))
    }
  }

  /// Calls `body` with the folded code points of a text, without continuation marks. The memory is
  /// valid during the call only.
  static func withCodePoints<Result>(
    of bytes: UnsafeRawBufferPointer, _ folding: Folding,
    body: (UnsafeBufferPointer<UInt32>) -> Result
  ) -> Result {
    withUnits(of: bytes, folding) { units in
      withUnsafeTemporaryAllocation(of: UInt32.self, capacity: units.count) { points in
        for (index, unit) in units.enumerated() {
          points.initializeElement(at: index, to: unit & ~continuation)
        }
        return body(UnsafeBufferPointer(points))
      }
    }
  }

  /// Whether two texts differ only in what is ignored.
  static func areEqual(
    _ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer, _ folding: Folding
  ) -> Bool {
    withUnits(of: a, folding) { units in
      withUnits(of: b, folding) { others in
        units.count == others.count
          && zip(units, others).allSatisfy { ($0 ^ $1) & ~continuation == 0 }
      }
    }
  }

  /// The folded code points of a text, without continuation marks.
  static func codePoints(of text: String, _ folding: Folding) -> [UInt32] {
    codePoints(text.unicodeScalars.map(\.value), folding)
  }

  /// The folded code points of others, without continuation marks.
  static func codePoints(_ scalars: [UInt32], _ folding: Folding) -> [UInt32] {
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: scalars.count * 3 + 1) { units in
      var count = 0
      for scalar in scalars { append(scalar, to: units, count: &count, folding) }
      return units[..<count].map { $0 & ~continuation }
    }
  }

  /// Appends the units of a code point, or composes them with the last unit.
  @inline(__always)
  private static func append(
    _ scalar: UInt32, to units: UnsafeMutableBufferPointer<UInt32>, count: inout Int,
    _ folding: Folding
  ) {
    guard scalar >= CanonicalForms.first, folding.options.contains(.diacriticInsensitive) else {
      var mark: UInt32 = 0
      folding.fold(scalar) { unit in
        units.initializeElement(at: count, to: unit | mark)
        count += 1
        mark = continuation
      }
      return
    }
    var mark: UInt32 = 0
    folding.fold(CanonicalForms.single(scalar)) { unit in
      if count > 0, let both = CanonicalForms.composed(units[count - 1] & ~continuation, unit) {
        units[count - 1] = both | units[count - 1] & continuation
        return
      }
      units.initializeElement(at: count, to: unit | mark)
      count += 1
      mark = continuation
    }
  }

  /// Decodes UTF-8. Each invalid byte counts as one code point.
  @inline(__always)
  private static func decode(_ bytes: UnsafeRawBufferPointer, body: (UInt32) -> Void) {
    var index = 0
    while index < bytes.count {
      let first = bytes[index]
      let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
      if length == 1 || first < 0xC0 || index + length > bytes.count {
        body(UInt32(first))
        index += 1
        continue
      }
      var scalar = UInt32(first) & (0x7F >> UInt32(length))
      for offset in 1..<length { scalar = scalar << 6 | UInt32(bytes[index + offset] & 0x3F) }
      body(scalar)
      index += length
    }
  }
}
