import CairnGeometry
import CairnStorage
import CairnValues

extension Table {
  /// The class with more columns, which are computed: the measures of its first geometry, `area` in
  /// square metres and `length` in metres, and the parts of its locations, such as
  /// `location.latitude`. Properties of these names come first.
  ///
  /// Measures are computed on all cores. If PROJ is missing, they fail with an error that says what to
  /// install.
  package func measuring() -> Table {
    let geometry = schema.properties.first(where: \.isGeometry)
    let measures = geometry.map { geometry in
      GeometryMeasure.allCases.map { computation($0, of: geometry) }
    }
    let parts = schema.properties.filter(\.isPoint).flatMap { location in
      PositionPart.allCases.map { computation($0, of: location) }
    }
    let more = ((measures ?? []) + parts).filter { schema.column(named: $0.name) == nil }
    return more.isEmpty ? self : computing(more)
  }

  private func computation(
    _ part: PositionPart, of location: ColumnSchema
  ) -> ColumnComputation {
    ColumnComputation("\(location.name).\(part.rawValue)", type: .double) { [self] chunk, rows in
      let locations = column(location.position).chunk(chunk)
      let live = liveRowBitmap(ofChunk: chunk)
      for row in 0..<rows.count where !locations.isRowNull(row) {
        let isLive = live.map { $0[row >> 6] >> UInt64(row & 63) & 1 != 0 } ?? true
        guard isLive else { continue }
        rows.doubles[row] = part.value(of: locations.position(at: row))
        rows.setNull(false, at: row)
      }
    }
  }

  private func computation(
    _ measure: GeometryMeasure, of geometry: ColumnSchema
  ) -> ColumnComputation {
    ColumnComputation(measure.rawValue, type: .double) { [self] chunk, rows in
      let ellipsoid = try Ellipsoid.wgs84()
      let geometries = column(geometry.position).chunk(chunk)
      let live = liveRowBitmap(ofChunk: chunk)
      func isMeasured(_ row: Int) -> Bool {
        let isLive = live.map { $0[row >> 6] >> UInt64(row & 63) & 1 != 0 } ?? true
        return isLive && !geometries.isRowNull(row)
      }
      let values = rows.doubles
      let partSize = 64
      WorkerPool.shared.run((rows.count + partSize - 1) / partSize) { part in
        for row in part * partSize..<min(rows.count, (part + 1) * partSize) where isMeasured(row) {
          values[row] = measure.value(geometries.geometry(at: row), on: ellipsoid) ?? .nan
        }
      }
      for row in 0..<rows.count where isMeasured(row) {
        if values[row].isNaN { values[row] = 0 } else { rows.setNull(false, at: row) }
      }
    }
  }

  /// A computed column of the values of a formula.
  ///
  /// - Parameters:
  ///   - name: The name, which no property has.
  ///   - formula: The formula, bound to this class.
  ///   - inputs: The inputs of the formula, as for ``FormulaEvaluator``.
  package func computation(
    _ name: String, of formula: BoundFormula, inputs: [(Int) -> Double?] = []
  ) -> ColumnComputation {
    // An evaluator takes memory, and the column may not be needed.
    var made: FormulaEvaluator?
    return ColumnComputation(name, type: formula.type ?? .double) { [self] chunk, rows in
      let evaluator = made ?? FormulaEvaluator(formula, on: self, inputs: inputs)
      made = evaluator
      let first = RowAddress.firstKey(ofChunk: chunk)
      let keys = (first..<first + rows.count).filter(isLive)
      for start in stride(from: 0, to: keys.count, by: FormulaVector.capacity) {
        let batch = keys[start..<min(keys.count, start + FormulaVector.capacity)]
        let results = try evaluator.evaluate(batch)
        for (row, key) in batch.enumerated() where !results.isNull(row) {
          results.copy(row, to: key - first, of: rows)
        }
      }
    }
  }
}

extension FormulaVector {
  /// Sets a row of a buffer, which is null, to the value of a row that is not.
  fileprivate func copy(_ row: Int, to target: Int, of buffer: ChunkBuffer) {
    switch type {
    case .bool, .int: buffer.integers[target] = int(row)
    case .double, .date: buffer.doubles[target] = double(row)
    case .string: buffer.setBytes(bytes(row), at: target)
    default: return buffer.set(value(row), at: target)
    }
    buffer.setNull(false, at: target)
  }
}
