internal import CairnGeometry

/// Reads bytes as the location in a field of CSV (WKT, hexadecimal WKB, a pair, an angle), for
/// fuzzing.
package enum GeometryFuzzTarget {
  /// Accepts any bytes, but checks every result: a point that GEOS can read is the same point
  /// there, and it is unchanged after it is written and read again.
  package static func read(_ bytes: [UInt8]) {
    let padded = bytes + Array(repeating: 0, count: InputBlock.padding)
    padded.withUnsafeBufferPointer {
      readGeometry(UnsafeBufferPointer(rebasing: $0.dropLast(InputBlock.padding)))
    }
    let text = String(decoding: bytes, as: UTF8.self)
    for hasDecimalCommas in [false, true] {
      _ = PairText(text, hasDecimalCommas: hasDecimalCommas)
      if let angle = AngleText(text, hasDecimalCommas: hasDecimalCommas) {
        precondition(
          AngleText("\(angle.value)")?.value == angle.value || "\(angle.value)".contains("e"),
          "'\(text)' is read as \(angle.value), which is read as a different angle")
      }
    }
    _ = (PairText.isMarked(text), PairText.isPair(text))
  }

  private static func readGeometry(_ text: UnsafeBufferPointer<UInt8>) {
    let geometry = GeometryText(text)
    for method in [PointDeriver.Method.centroid, .onSurface] {
      var options = GeometryOptions()
      options.pointOf = method
      let found = try? PointConverter(options).point(
        of: text, geometry.notation, .degrees(wrapsLongitudes: false))
      guard case .point(let x, let y, _) = geometry.content, let found else { continue }
      precondition(
        found == (x, y) || !x.isFinite || !y.isFinite,
        "a point is read as \(x), \(y), but GEOS reads \(found)")
    }
    if case .point(let x, let y, let z) = geometry.content {
      check(x, y: y, z: z, content: geometry.content)
    }
  }

  private static func check(
    _ x: Double, y: Double, z: Double?, content: GeometryText.Content
  ) {
    guard x.isFinite, y.isFinite, z?.isFinite ?? true else { return }
    let padded =
      Array(WKTPosition.point(x: x, y: y, z: z).utf8)
      + Array(repeating: 0, count: InputBlock.padding)
    let again = padded.withUnsafeBufferPointer {
      GeometryText(UnsafeBufferPointer(rebasing: $0.dropLast(InputBlock.padding))).content
    }
    precondition(again == content, "\(content) is read as \(again) after it is written")
  }
}
