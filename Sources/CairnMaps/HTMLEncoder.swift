internal import CairnGeometry
internal import CairnIO
internal import CairnValues

/// A map of the rows as a self-contained page that can be panned and zoomed and shows each row's
/// values under the pointer.
///
/// Too many rows become squares with row counts. Where the rows of a view would cover each other, the
/// page shows squares too.
struct HTMLEncoder: RowEncoder {
  private let columns: MapColumns
  private let subject: MapSubject
  private var points = PointBuffer()
  private var shapes = ShapeBuffer()
  private var styling: RowStyling
  private let rows = OutputSink.memory()
  /// The values of the rows with lines or areas, after their coordinates.
  private let shapeRows = OutputSink.memory()
  private var rowCount = 0
  private var located = 0

  /// The most rows that are shown with their values.
  static let maxRows = 100_000
  /// The most vertices of lines and areas that are shown.
  static let maxVertices = 4_000_000
  /// The number of squares across the page if there are more rows.
  private static let squares = 1200

  init(_ columns: MapColumns, subject: MapSubject) {
    self.columns = columns
    self.subject = subject
    styling = RowStyling(columns, subject: subject)
  }

  func begin(_ sink: OutputSink) {}

  mutating func encode(_ row: UnsafeBufferPointer<Cell>, sink: OutputSink) {
    rowCount += 1
    let before = shapes.count
    let found = columns.points(of: row, shapes: &shapes)
    guard found.isLocated else { return }
    located += 1
    styling.append(row, pointCount: found.points.count, hasShape: shapes.count > before)
    for point in found.points {
      points.append(point)
      if points.count <= Self.maxRows {
        append(row, point: point)
      } else {
        rows.removeAll()
      }
    }
    guard shapes.count > before, let shape = shapes.shapes.last else { return }
    if areShapesShown { append(row, shape: shape) } else { shapeRows.removeAll() }
  }

  /// Whether lines and areas are shown with their values.
  private var areShapesShown: Bool {
    shapes.count <= Self.maxRows && shapes.vertexCount <= Self.maxVertices
  }

  /// Appends the rings and the lines of a row, each as one array of coordinates, then its values.
  private func append(_ row: UnsafeBufferPointer<Cell>, shape: ShapeBuffer.Shape) {
    shapeRows.append(shape.row == 0 ? "[[" : ",\n[[")
    for (index, part) in shape.parts.enumerated() {
      if index == shape.ringCount {
        shapeRows.append("],[")
      } else if index > 0 {
        shapeRows.append(",")
      }
      shapeRows.append("[")
      for (place, vertex) in shapes.part(part).enumerated() {
        if place > 0 { shapeRows.append(",") }
        shapeRows.append(double: vertex.longitude)
        shapeRows.append(",")
        shapeRows.append(double: vertex.latitude)
      }
      shapeRows.append("]")
    }
    shapeRows.append(shape.ringCount == shape.parts.count ? "],[]" : "]")
    for other in columns.others {
      shapeRows.append(",")
      append(row[other.index], to: shapeRows)
    }
    shapeRows.append("]")
  }

  private func append(_ row: UnsafeBufferPointer<Cell>, point: Position) {
    rows.append(points.count == 1 ? "[" : ",\n[")
    rows.append(double: point.longitude)
    rows.append(",")
    rows.append(double: point.latitude)
    for other in columns.others {
      rows.append(",")
      append(row[other.index], to: rows)
    }
    rows.append("]")
  }

  /// Appends a value in a form that is safe to show. Collections become JSON text.
  private func append(_ cell: Cell, to rows: OutputSink) {
    switch cell {
    case .json(let bytes):
      JSONText.append(string: Self.printable(String(decoding: bytes, as: UTF8.self)), to: rows)
    case .text(let bytes) where !PrintableText.isSafe(bytes):
      JSONText.append(string: Self.printable(String(decoding: bytes, as: UTF8.self)), to: rows)
    case .string(let text), .other(let text):
      JSONText.append(string: Self.printable(text), to: rows)
    default: JSONText.append(cell, to: rows)
    }
  }

  private static func printable(_ text: String) -> String {
    PrintableText.escaped(text, keeping: ["\n", "\t"])
  }

  func end(_ sink: OutputSink) throws(OutputError) {
    let isAlone = points.count <= Self.maxRows && areShapesShown
    if styling.isUsed, !isAlone { throw .tooManyRows(Self.maxRows) }
    let outlines = subject.regions.map(Outline.init)
    let frame = MapFrame(
      points, shapes: shapes, outline: outlines.smallest, origin: subject.origin)
    let excerpt = BaseMap.Excerpt(frame)
    let data = data(frame, excerpt: excerpt, outlines: outlines, isAlone: isAlone)
    try sink.append(HTMLPage.template) { (placeholder) throws(OutputError) in
      switch placeholder {
      case .title: sink.append(XMLText.escaped(subject.title))
      case .style: sink.append(HTMLPage.style)
      case .data:
        Self.append(data, to: sink)
        try sink.flushWhenFull()
      case .land: sink.append(excerpt.land)
      case .borders: sink.append(excerpt.borders)
      case .script: for script in HTMLPage.scripts { sink.append(script) }
      }
    }
  }

  /// Returns the values of the page as a JSON object.
  ///
  /// - Parameter isAlone: Whether each row is drawn alone.
  private func data(
    _ frame: MapFrame, excerpt: BaseMap.Excerpt, outlines: [Outline], isAlone: Bool
  ) -> OutputSink {
    let data = OutputSink.memory()
    data.append("{\"count\":\(rowCount),\"title\":")
    JSONText.append(string: Self.printable(subject.title), to: data)
    data.append(",\"words\":")
    JSONText.append(string: MapWords.rows(rowCount, located: located), to: data)
    data.append(",\"frame\":[\(frame.west),\(frame.south),\(frame.east),\(frame.north)]")
    data.append(",\"squeeze\":\(frame.squeeze)")
    if let polar = frame.polar { data.append(",\"polar\":\(polar.isNorth ? 1 : -1)") }
    append(excerpt.countries, as: "countries", to: data)
    append(excerpt.places, as: "places", to: data)
    if isAlone { appendStyling(to: data) }
    if let origin = subject.origin {
      data.append(",\"origin\":[\(origin.longitude),\(origin.latitude)]")
    }
    appendColumns(to: data)
    append(outlines, frame: frame, to: data)
    data.append(",\"shapes\":[")
    shapeRows.withBytes { data.append($0) }
    data.append("]")
    appendRows(frame, to: data)
    data.append("}")
    return data
  }

  private func append(_ names: [BaseMap.Name], as member: String, to data: OutputSink) {
    data.append(",\"\(member)\":[")
    for (index, name) in names.enumerated() {
      data.append(index > 0 ? ",[" : "[")
      JSONText.append(string: name.text, to: data)
      data.append(",\(name.longitude),\(name.latitude),\(name.number)]")
    }
    data.append("]")
  }

  /// Appends the class of the colour of each row, the radius of each point, and their meaning.
  private func appendStyling(to data: OutputSink) {
    let scales = styling.scales
    func list(_ member: String, numbers: [String]) {
      data.append(",\"\(member)\":[\(numbers.joined(separator: ","))]")
    }
    func title(_ member: String, text: String) {
      data.append(",\"\(member)\":")
      JSONText.append(string: Self.printable(text), to: data)
    }
    if let colour = scales.colour {
      title("colourTitle", text: colour.title)
      list("colours", numbers: colour.entries.map { "\"\($0.colour)\"" })
      list(
        "classes", numbers: (0..<points.count).map { "\(styling.pointClass($0, of: colour))" })
      list(
        "shapeClasses",
        numbers: (0..<shapes.count).map { "\(styling.shapeClass($0, of: colour))" })
      data.append(",\"colourLabels\":[")
      for (index, entry) in colour.entries.enumerated() {
        if index > 0 { data.append(",") }
        JSONText.append(string: Self.printable(entry.label), to: data)
      }
      data.append("]")
    }
    if let size = scales.size {
      title("sizeTitle", text: size.title)
      list("radii", numbers: (0..<points.count).map { Self.tenths(styling.radius($0, of: size)) })
      list(
        "sizeLabels", numbers: size.entries.map { "[\"\($0.label)\",\(Self.tenths($0.radius))]" })
    }
  }

  private static func tenths(_ radius: Double) -> String { "\((radius * 10).rounded() / 10)" }

  private func appendColumns(to data: OutputSink) {
    data.append(",\"columns\":[")
    for (index, column) in columns.others.enumerated() {
      if index > 0 { data.append(",") }
      JSONText.append(string: Self.printable(column.name), to: data)
    }
    let title = columns.others.firstIndex { $0.index == columns.title }
    data.append("],\"name\":\(title.map { "\($0)" } ?? "null")")
  }

  /// Appends the regions, in the plane of the map.
  private func append(_ outlines: [Outline], frame: MapFrame, to data: OutputSink) {
    data.append(",\"regions\":[")
    for (index, outline) in outlines.enumerated() {
      let rings = outline.rings.map { ring -> String in
        let area = RingShape.area(ring)
        let points = frame.polar.map { $0.ring(area).map { ($0.x, $0.y) } } ?? area
        return "[" + points.map { "[\($0.0),\($0.1)]" }.joined(separator: ",") + "]"
      }
      data.append((index > 0 ? "," : "") + "[" + rings.joined(separator: ",") + "]")
    }
    data.append("]")
  }

  private func appendRows(_ frame: MapFrame, to data: OutputSink) {
    guard points.count > Self.maxRows || !areShapesShown else {
      data.append(",\"rows\":[")
      rows.withBytes { data.append($0) }
      data.append("]")
      return
    }
    var grid = DensityGrid(
      columns: Self.squares, rows: Int((Double(Self.squares) / frame.aspect).rounded()))
    for index in 0..<points.count {
      let point = frame.position(points[index].longitude, latitude: points[index].latitude)
      grid.add(point.x, y: point.y)
    }
    for shape in areShapesShown ? [] : shapes.shapes {
      let point = frame.position(shape.centre.longitude, latitude: shape.centre.latitude)
      grid.add(point.x, y: point.y)
    }
    // The squares are in the plane of the map.
    let (across, down) = (frame.east - frame.west, frame.north - frame.south)
    data.append(",\"square\":\(down / Double(grid.rows)),\"squares\":[")
    var isFirst = true
    for (index, count) in grid.counts.enumerated() where count > 0 {
      let x = (Double(index % grid.columns) + 0.5) / Double(grid.columns)
      let y = (Double(index / grid.columns) + 0.5) / Double(grid.rows)
      let longitude = ((frame.west + x * across) * 10000).rounded() / 10000
      let latitude = ((frame.north - y * down) * 10000).rounded() / 10000
      data.append((isFirst ? "[" : ",[") + "\(longitude),\(latitude),\(count)]")
      isFirst = false
    }
    data.append("]")
  }

  /// Appends JSON to a page, with every `<` escaped, so that nothing looks like the end of its
  /// element.
  private static func append(_ data: OutputSink, to sink: OutputSink) {
    data.withBytes { bytes in
      var start = 0
      for index in 0..<bytes.count where bytes[index] == UInt8(ascii: "<") {
        sink.append(UnsafeRawBufferPointer(rebasing: bytes[start..<index]))
        sink.append("\\u003c")
        start = index + 1
      }
      sink.append(UnsafeRawBufferPointer(rebasing: bytes[start...]))
    }
  }
}
