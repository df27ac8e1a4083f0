/// The points of a MultiPoint in a field of text.
enum MultiPointText {
  typealias Point = (x: Double, y: Double, z: Double?)

  /// Nil when the text is malformed, or one of the points has no place.
  ///
  /// - Parameter text: of a geometry whose head says MultiPoint, without the number of its system.
  static func points(
    of text: UnsafeBufferPointer<UInt8>, _ notation: ShapeReader.Notation
  ) -> [Point]? {
    switch notation {
    case .wkt:
      var scan = WKTScan(text)
      return scan.takeMultiPoint()
    case .hexWKB: return BinaryGeometry.points(of: text)
    case .geoJSON: return nil
    }
  }
}

extension WKTScan {
  /// `MULTIPOINT ((1 2), (3 4))`, or without the inner parentheses, as older programs write it.
  mutating func takeMultiPoint() -> [MultiPointText.Point]? {
    skipSpace()
    let word = takeWord().dropFirst("MULTIPOINT".count)
    skipSpace()
    let isMeasured = (word.isEmpty ? takeWord()[...] : word) == "M"
    skipSpace()
    guard take("(") else { return nil }
    var points: [MultiPointText.Point] = []
    repeat {
      guard let point = takePosition(isMeasured: isMeasured) else { return nil }
      points.append(point)
    } while take(",")
    return take(")") && isAtEnd ? points : nil
  }

  private mutating func takePosition(isMeasured: Bool) -> MultiPointText.Point? {
    skipSpace()
    let isEnclosed = take("(")
    var values: [Double] = []
    skipSpace()
    while let value = takeNumber() {
      values.append(value)
      skipSpace()
    }
    guard (2...4).contains(values.count), !isEnclosed || take(")") else { return nil }
    skipSpace()
    return (values[0], values[1], values.count > 2 && !isMeasured ? values[2] : nil)
  }
}
