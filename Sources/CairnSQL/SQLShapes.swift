import CairnGeometry

/// Shapes as well-known binary without altitudes.
enum SQLShapes {
  static func point(longitude: Double, latitude: Double) -> [UInt8] {
    header(1) + bytes(longitude.bitPattern) + bytes(latitude.bitPattern)
  }

  /// The areas as a MultiPolygon.
  static func multiPolygon(_ polygons: [[[GeoPoint]]]) -> [UInt8] {
    polygons.reduce(into: header(6) + bytes(UInt32(polygons.count))) { wkb, rings in
      wkb += header(3) + bytes(UInt32(rings.count))
      for ring in rings { wkb += positions(ring) }
    }
  }

  /// The boundaries of the areas as a MultiLineString.
  static func boundary(_ polygons: [[[GeoPoint]]]) -> [UInt8] {
    let rings = polygons.joined()
    return rings.reduce(into: header(5) + bytes(UInt32(rings.count))) { wkb, ring in
      wkb += header(2) + positions(ring)
    }
  }

  private static func positions(_ points: [GeoPoint]) -> [UInt8] {
    points.reduce(into: bytes(UInt32(points.count))) { wkb, point in
      wkb += bytes(point.longitude.bitPattern)
      wkb += bytes(point.latitude.bitPattern)
    }
  }

  /// Little-endian, and the kind.
  private static func header(_ kind: UInt32) -> [UInt8] { [1] + bytes(kind) }

  private static func bytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { Array($0) }
  }
}
