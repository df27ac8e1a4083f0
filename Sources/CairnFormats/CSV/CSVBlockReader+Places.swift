internal import CairnGeometry

// Places that stand in one column.
extension CSVBlockReader {
  func readPairs(_ rows: CSVRows, _ column: Int, _ order: PairOrder) {
    for row in 0..<rows.count where !isDropped[row] {
      let field = rows.field(row, column)
      let bytes = unquoter.trimmed(rows.bytes + field.start, field.count)
      let place = place(rows, row, column)
      guard !bytes.isEmpty else {
        drop(
          row, at: place, "coordinates are missing",
          "the coordinates (column `\(layout.names[column])`) are missing")
        continue
      }
      let text = String(decoding: bytes, as: UTF8.self)
      guard let pair = PairText(text, hasDecimalCommas: layout.hasDecimalCommas),
        let (y, x) = pair.ordered(order)
      else {
        drop(
          row, at: place, "coordinates are unclear",
          "`\(text.prefix(60))` (column `\(layout.names[column])`) is not clearly a pair of coordinates"
            + pairAdvice(text))
        continue
      }
      set(row, x, y, rows, column)
    }
  }

  private func pairAdvice(_ text: String) -> String {
    if layout.location == .pair(column: layout.location.places[0], .marked) {
      return ": others have letters N, S, E and W; without them say `--lat-lon` or `--lon-lat`"
    }
    let commas = text.count { $0 == "," }
    return commas > 1 && !layout.hasDecimalCommas
      ? ": if it has decimal commas, say `--decimal-comma`" : ""
  }

  func readGeometries(_ rows: CSVRows, _ column: Int) throws(ParseStop) {
    altitudes = Array(repeating: .nan, count: rows.count)
    for row in 0..<rows.count where !isDropped[row] {
      let field = rows.field(row, column)
      let bytes = unquoter.trimmed(rows.bytes + field.start, field.count)
      let geometry = GeometryText(bytes)
      let place = place(rows, row, column)
      if let system = geometry.system, let objection = placement.objection(toSystem: system) {
        drop(row, at: place, "another coordinate system", objection)
        continue
      }
      switch geometry.content {
      case .point(let x, let y, let z):
        set(row, x, y, rows, column)
        if let z, !isDropped[row] {
          altitudes[row] = z
          hasAltitude = true
        }
      case .empty: drop(row, at: place, "geometry is missing", "it has no geometry")
      case .malformed where bytes.isEmpty:
        drop(row, at: place, "geometry is missing", "it has no geometry")
      case .malformed:
        drop(
          row, at: place, "malformed geometry",
          "`\(String(decoding: bytes.prefix(60), as: UTF8.self))` (column `\(layout.names[column])`) is no geometry"
        )
      case .other(let type): try readShape(rows, row, column, bytes, geometry, type)
      }
    }
  }

  /// A geometry that is no point.
  private func readShape(
    _ rows: CSVRows, _ row: Int, _ column: Int, _ bytes: UnsafeBufferPointer<UInt8>,
    _ geometry: GeometryText, _ type: String
  ) throws(ParseStop) {
    let text = UnsafeBufferPointer(rebasing: bytes[geometry.start...])
    if type == "MultiPoint", shapes.options.takesEachPoint {
      return readPoints(rows, row, column, MultiPointText.points(of: text, geometry.notation))
    }
    do throws(GeometryError) {
      if let point = try shapes.point(of: text, geometry.notation, inDegrees: isInDegrees) {
        set(row, point.x, point.y, rows, column)
      } else {
        drop(
          row, at: place(rows, row, column), ShapeReader.reason(type), ShapeReader.advice(type))
      }
    } catch {
      if error.kind == .missingLibrary { throw .failed(ImportError(.library, error.message)) }
      drop(
        row, at: place(rows, row, column), "no point of a geometry",
        "no point can be made of the \(type): \(error.message)")
    }
  }

  /// Each point of a MultiPoint: the row becomes as many, or none where one of them has no place.
  private func readPoints(
    _ rows: CSVRows, _ row: Int, _ column: Int, _ points: [MultiPointText.Point]?
  ) {
    guard let points, !points.isEmpty else {
      return drop(
        row, at: place(rows, row, column), "malformed geometry",
        "its MultiPoint has no points, or is malformed")
    }
    var made: [Location] = []
    for point in points {
      set(row, point.x, point.y, rows, column)
      if isDropped[row] { return }
      made.append(
        Location(longitude: longitudes[row], latitude: latitudes[row], altitude: point.z))
      if point.z != nil { hasAltitude = true }
    }
    severalPlaces[row] = made
  }

  private var isInDegrees: Bool {
    if case .degrees = placement { true } else { false }
  }

  /// Sets the location of a row, or drops it where there is no such place.
  private func set(_ row: Int, _ x: Double, _ y: Double, _ rows: CSVRows, _ column: Int) {
    let axes = placement.axes
    let place = place(rows, row, column)
    guard let x = accepted(x, axes.x, row, at: place, column),
      let y = accepted(y, axes.y, row, at: place, column)
    else { return }
    (longitudes[row], latitudes[row]) = (x, y)
    if case .projected(let transform) = placement { self.place(rows, row, column, transform) }
  }
}
