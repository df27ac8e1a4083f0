extension Geometry {
  /// The geometry as well-known binary of ISO 13249-3, little-endian and without a coordinate
  /// system.
  ///
  /// The numbers of an empty point are NaN, and so are altitudes of vertices without one if others
  /// have one.
  public var wkb: [UInt8] {
    withView { view in
      var bytes: [UInt8] = []
      view.appendWKB(to: &bytes)
      return bytes
    }
  }
}

extension GeometryView {
  /// Appends the geometry as well-known binary.
  package func appendWKB(to bytes: inout [UInt8]) {
    var cursor = Cursor()
    // Members follow their collection, as in the structure, so that no recursion is needed.
    while cursor.word + 1 < structureCount {
      let (kind, count) = (structure(cursor.word), structure(cursor.word + 1))
      cursor.word += 2
      bytes.append(1)
      Self.append(UInt32(kind + (hasAltitudes ? 1000 : 0)), to: &bytes)
      if kind > 1 { Self.append(UInt32(count), to: &bytes) }
      switch kind {
      case 1, 2:
        appendPositions(cursor.vertex..<cursor.vertex + count, to: &bytes)
        if kind == 1, count == 0 {
          for _ in 0..<(hasAltitudes ? 3 : 2) {
            Self.append(Double.nan.bitPattern, to: &bytes)
          }
        }
        cursor.vertex += count
      case 3:
        for ring in cursor.word..<cursor.word + count {
          let vertices = structure(ring)
          Self.append(UInt32(vertices), to: &bytes)
          appendPositions(cursor.vertex..<cursor.vertex + vertices, to: &bytes)
          cursor.vertex += vertices
        }
        cursor.word += count
      default: break
      }
    }
  }

  private func appendPositions(_ vertices: Range<Int>, to bytes: inout [UInt8]) {
    let hasAltitudes = hasAltitudes
    for index in vertices {
      Self.append(longitude(index).bitPattern, to: &bytes)
      Self.append(latitude(index).bitPattern, to: &bytes)
      if hasAltitudes { Self.append((altitude(index) ?? .nan).bitPattern, to: &bytes) }
    }
  }

  private static func append<T: FixedWidthInteger>(_ value: T, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }
}
