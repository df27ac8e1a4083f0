internal import CairnGeometry

/// The columns of a layer, their names, and those that hold coordinates.
package struct LayerColumns: Sendable {
  package let schema: LayerSchema
  /// The names of the columns, each of them once.
  package let names: ColumnNames
  /// The columns that hold the coordinates of a layer without geometries.
  let coordinates: (latitude: Int, longitude: Int)?
  /// The error of an import that needs locations; nil if the layer has some or needs none.
  let missingLocation: ImportError?

  /// Names the columns, and finds those that hold coordinates.
  ///
  /// - Parameters:
  ///   - name: The name of the file and the layer in messages.
  ///   - hasSchema: Whether the file itself names its columns; the header of a sheet may be a title.
  package init(
    _ schema: LayerSchema, name: String, options: ImportOptions, hasSchema: Bool = false
  ) throws(ImportError) {
    self.schema = schema
    let names = ColumnNames(schema.columns.map(\.name))
    self.names = names
    guard schema.geometry == nil, options.readsLocation else {
      (coordinates, missingLocation) = (nil, nil)
      return
    }
    let finder = CoordinateColumnFinder(
      names: names, options: options, file: name, hasSchema: hasSchema)
    let found = try finder.find { (wanted) throws(ImportError) in
      if let index = names.names.firstIndex(of: wanted) { return index }
      throw ImportError(
        .usage,
        message: "\(name): no column is named `\(wanted)`; the columns are \(names.list)")
    }
    guard case .columns(let latitude, let longitude)? = found else {
      guard finder.mayBeTable else { throw finder.missing }
      (coordinates, missingLocation) = (nil, finder.missing)
      return
    }
    (coordinates, missingLocation) = ((latitude, longitude), nil)
  }

  /// Whether the rows have locations or geometries.
  var hasLocations: Bool { schema.geometry != nil || coordinates != nil }

  /// The columns that become properties, with their indexes.
  var properties: [(index: Int, name: String)] {
    schema.columns.indices.filter { !spatial.contains($0) }.map { ($0, names.names[$0]) }
  }

  /// The indices of the columns that hold geometries or coordinates.
  var spatial: [Int] {
    [schema.geometry, coordinates?.latitude, coordinates?.longitude].compactMap { $0 }
  }

  /// Returns the indices of the columns that a plan needs.
  func needed(by plan: ImportPlan) -> Set<Int> {
    Set(properties.filter { plan.index(ofFileColumn: $0.name) != nil }.map(\.index) + spatial)
  }

  /// The names of the columns that hold coordinates; empty for layers with geometries.
  var coordinateColumns: [String] {
    coordinates.map { [$0.latitude, $0.longitude].map { names.names[$0] } } ?? []
  }

  /// Returns notes on the columns for the user.
  ///
  /// - Parameter name: The name of the file and the layer.
  package func notes(name: String, options: ImportOptions) -> [ImportMessage] {
    var notes = names.notes.map { ImportMessage("\(name): \($0)") }
    if schema.geometry != nil, schema.system == nil, options.coordinateSystem == nil {
      notes.append(
        "\(name): the file names no coordinate system, so the coordinates are read as degrees of "
          + "WGS 84; \(option: .coordinateSystem, "EPSG:n") names another")
    }
    if !schema.otherGeometries.isEmpty {
      let list = schema.otherGeometries.map { "`\($0)`" }.joined(separator: ", ")
      notes.append("\(name): only the first geometry of a row is read, and not \(list)")
    }
    if schema.isPart {
      notes.append(
        "\(name): the server had more rows than it sent (exceededTransferLimit); ask for the others "
          + "with resultOffset")
    }
    if schema.hasSphericalEdges {
      notes.append(
        "\(name): the edges of the geometries are shortest paths on the earth; geodesic edges in "
          + "queries read them so")
    }
    if schema.hasMeasures { notes.append("\(name): measures (M) of positions are ignored") }
    return notes
  }
}
