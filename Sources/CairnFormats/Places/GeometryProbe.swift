internal import CairnGeometry

/// Reads bytes as the place in a field of CSV: WKT, WKB in hexadecimal digits, a pair, an angle.
package enum GeometryProbe {
  /// They may say anything, but what they say has to hold: a point is the same for GEOS where that can read it, and
  /// when it is written and read again.
  package static func read(_ bytes: [UInt8]) {
    let padded = bytes + Array(repeating: 0, count: InputSection.padding)
    padded.withUnsafeBufferPointer {
      readGeometry(UnsafeBufferPointer(rebasing: $0.dropLast(InputSection.padding)))
    }
    let text = String(decoding: bytes, as: UTF8.self)
    for hasDecimalCommas in [false, true] {
      _ = PairText(text, hasDecimalCommas: hasDecimalCommas)
      if let angle = AngleText(text, hasDecimalCommas: hasDecimalCommas) {
        precondition(
          AngleText("\(angle.value)")?.value == angle.value || "\(angle.value)".contains("e"),
          "'\(text)' is read as \(angle.value), and that as another angle")
      }
    }
    _ = (PairText.isMarked(text), PairText.isPair(text))
  }

  private static func readGeometry(_ text: UnsafeBufferPointer<UInt8>) {
    let geometry = GeometryText(text)
    let rest = UnsafeBufferPointer(rebasing: text[geometry.start...])
    for method in [PointMaker.Method.centroid, .onSurface] {
      var options = ShapeOptions()
      options.pointOf = method
      let place = try? ShapeReader(options).point(of: rest, geometry.notation, inDegrees: false)
      guard case .point(let x, let y, _) = geometry.content, let place else { continue }
      precondition(
        place == (x, y) || !x.isFinite || !y.isFinite,
        "a point is read as \(x), \(y), and by GEOS as \(place)")
    }
    if case .point(let x, let y, let z) = geometry.content { check(x, y, z, geometry.content) }
  }

  private static func check(
    _ x: Double, _ y: Double, _ z: Double?, _ content: GeometryText.Content
  ) {
    guard x.isFinite, y.isFinite, z?.isFinite ?? true else { return }
    let written =
      WKTText.text(.projected(x: x, y: y, altitude: 0), altitude: z).map { Array($0.utf8) } ?? []
    let padded = written + Array(repeating: 0, count: InputSection.padding)
    let again = padded.withUnsafeBufferPointer {
      GeometryText(UnsafeBufferPointer(rebasing: $0.dropLast(InputSection.padding))).content
    }
    precondition(again == content, "\(content) is written and read as \(again)")
  }
}
