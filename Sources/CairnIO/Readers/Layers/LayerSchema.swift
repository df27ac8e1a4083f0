/// The type of a column of a layer.
package enum LayerColumnType: UInt8, Sendable {
  case int = 1
  case double
  case bool
  /// Seconds since 2001-01-01T00:00:00Z, or since then in local time.
  case date
  case text
  case data
  /// Geometries in WKB.
  case geometry
}

/// The columns of a layer.
package struct LayerSchema: Sendable, Equatable {
  /// A column.
  package struct Column: Sendable, Equatable {
    package let name: String
    package let type: LayerColumnType

    package init(name: String, type: LayerColumnType) {
      self.name = name
      self.type = type
    }
  }

  package let name: String
  package var columns: [Column] = []
  /// The number of rows; nil if it is not known.
  package var count: Int?
  /// The number that Simple Features gives to the kind of the geometries in well-known binary, 0 for
  /// several kinds.
  package var geometryType: Int32 = 0
  /// The coordinate system: a code, or WKT; nil if the file does not say.
  package var system: String?
  /// The columns of further geometries, which are not read.
  package var otherGeometries: [String] = []
  /// Whether the edges of the geometries are shortest paths on the earth.
  package var hasSphericalEdges = false
  /// Whether the file says that its source has more rows.
  package var isPart = false

  package init(name: String) { self.name = name }

  /// The index of the column of geometries.
  package var geometry: Int? { columns.firstIndex { $0.type == .geometry } }

  /// The kind of the geometries without dimensions: 1 for points, 0 if the layer mixes kinds.
  package var plainGeometryType: Int32 { (geometryType & 0x0FFF_FFFF) % 1000 }

  /// Whether the positions have measures.
  package var hasMeasures: Bool { (geometryType & 0x0FFF_FFFF) / 1000 >= 2 }
}
