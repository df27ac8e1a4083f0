internal import CairnGeometry
internal import CairnQuery
internal import CairnValues

/// Finds out what a layer's columns do not say: whether all geometries are points, and whether
/// numbers are too large for a double. For use by one thread.
final class LayerInference {
  private let columns: LayerColumns
  private let decoder: any LayerDecoder
  /// The indices of the columns whose values are looked at.
  private let inspected: Set<Int>
  private let form: SpatialForm
  private let options: ImportOptions

  init(
    _ source: any LayerSource, form: SpatialForm, options: ImportOptions
  ) throws(ImportError) {
    columns = source.columns
    let inspected = columns.inspected(options.selection).subtracting(
      columns.properties.map(\.index).filter { source.bounds(ofColumn: $0).areExact })
    decoder = try source.makeDecoder(inspected)
    self.inspected = inspected
    self.form = form
    self.options = options
  }

  /// Inspects the rows of a block.
  func inspect(_ block: InputBlock) throws(ParseAbort) -> InferredSchema {
    let batch = try decoder.rows(of: block)
    var schema = InferredSchema()
    var spatial: SpatialEvidence = []
    schema.rows = batch.rowCount
    if let geometry = columns.schema.geometry, inspected.contains(geometry) {
      let column = batch.columns[geometry]
      for row in 0..<batch.rowCount where !column.isNull(row) {
        look(column.bytes(row), row: row, block: block, spatial: &spatial, schema: &schema)
      }
    }
    let found = columns.properties.map { index, name in
      InferredColumns.Column(
        name: name, evidence: evidence(index, batch: batch))
    }
    schema.inferred = InferredColumns(columns: found, spatial: [.only: spatial])
    return schema
  }

  private func look(
    _ wkb: UnsafeRawBufferPointer, row: Int, block: InputBlock,
    spatial: inout SpatialEvidence, schema: inout InferredSchema
  ) {
    guard let head = try? GeometryHead(wkb: wkb) else { return }
    if case .point(_, _, .some) = head.content { spatial.insert(.altitude) }
    if case .other(let kind) = head.content, !options.geometries.makesPoints(kind) {
      spatial.insert(.shape)
      if case .points(isAssumed: false, _) = form {
        schema.rows -= 1
        let position = block.position(ofRow: row)
        schema.rejects.add(
          RejectedRecord(
            position: position, reason: .geometryType(kind.geoJSONName), detail: ""))
      }
    }
  }

  private func evidence(_ index: Int, batch: LayerBatch) -> FieldEvidence {
    let column = columns.schema.columns[index]
    guard inspected.contains(index) else { return FieldEvidence(column) }
    let values = batch.columns[index]
    if column.type == .date {
      let hasLocal = (0..<batch.rowCount).contains(where: values.isLocal)
      return hasLocal ? [.date, .localDate] : .date
    }
    guard column.type == .int else { return FieldEvidence(column) }
    let hasLarge = (0..<batch.rowCount).contains { row in
      !values.isNull(row) && !IntegerText.isExact(values.int(row))
    }
    return hasLarge ? [.int, .largeInt] : .int
  }
}

extension FieldEvidence {
  /// The evidence that the type of a layer's column is.
  init(_ column: LayerSchema.Column) {
    switch column.type {
    case .int: self = .int
    case .double: self = .double
    case .bool: self = .bool
    case .date: self = .date
    case .text, .geometry: self = .text
    case .data: self = .data
    }
  }
}

extension LayerColumns {
  /// The indices of the columns whose values are looked at before the rows are stored.
  fileprivate func inspected(_ selection: ColumnSelection) -> Set<Int> {
    let own = properties.filter { index, name in
      switch schema.columns[index].type {
      // The columns that no text names are not read at all.
      case .int, .date: selection.mentions == nil || selection.isKept(name)
      case .double, .bool, .text, .data, .geometry: false
      }
    }
    return Set(own.map(\.index) + [schema.geometry].compactMap(\.self))
  }

  /// Returns the findings from the columns alone, without any rows.
  func inferred(_ options: ImportOptions) -> InferredColumns {
    let columns = properties.map { index, name in
      InferredColumns.Column(name: name, evidence: FieldEvidence(schema.columns[index]))
    }
    var spatial: SpatialEvidence = []
    let type = schema.plainGeometryType
    if let kind = Geometry.Kind(rawValue: UInt8(clamping: type)), 2...7 ~= type,
      !options.geometries.makesPoints(kind)
    {
      spatial.insert(.shape)
    }
    return InferredColumns(columns: columns, spatial: [.only: spatial])
  }
}

extension ValueBounds {
  /// Whether all values are ints that a double holds exactly.
  fileprivate var areExact: Bool {
    guard case .int(let low) = least, case .int(let high) = greatest else { return false }
    return max(low.magnitude, high.magnitude) <= 1 << 53
  }
}
