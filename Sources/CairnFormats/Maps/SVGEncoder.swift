internal import CairnGeometry

/// A map of the rows as an SVG image: land, the requested regions, and a mark, a line or an area for
/// each row that shows its values on hover.
///
/// Too many rows become squares coloured by row count.
struct SVGEncoder: RowEncoder {
  private let columns: MapColumns
  private let subject: MapSubject
  private var points = PointBuffer()
  private var shapes = ShapeBuffer()
  /// The labels of the points, or none if there are too many.
  private var labels: [String] = []
  /// The labels of the lines and areas, or none if there are too many.
  private var shapeLabels: [String] = []
  private var rowCount = 0
  private var located = 0

  /// The most rows that get their own marks.
  static let maxMarks = 20_000
  /// The most rows whose lines and areas are drawn.
  static let maxShapes = 200_000

  init(_ columns: MapColumns, subject: MapSubject) {
    self.columns = columns
    self.subject = subject
  }

  func begin(_ sink: OutputSink) {}

  mutating func encode(_ row: UnsafeBufferPointer<Cell>, sink: OutputSink) {
    rowCount += 1
    let before = shapes.count
    let found = columns.points(of: row, shapes: &shapes)
    guard found.isLocated else { return }
    located += 1
    for point in found.points {
      points.append(point)
      if points.count <= Self.maxMarks {
        labels.append(label(row))
      } else if !labels.isEmpty {
        labels = []
      }
    }
    guard shapes.count > before else { return }
    if shapes.count <= Self.maxShapes {
      shapeLabels.append(label(row))
    } else if !shapeLabels.isEmpty {
      shapeLabels = []
    }
  }

  /// Returns the row's name, followed by its values that are not null.
  private func label(_ row: UnsafeBufferPointer<Cell>) -> String {
    var lines = columns.title.map { [TableText.text(row[$0])] } ?? []
    for (index, name) in columns.others where index != columns.title && !row[index].isNull {
      lines.append("\(TableText.printable(name)): \(TableText.text(row[index]))")
    }
    return lines.joined(separator: "\n")
  }

  func end(_ sink: OutputSink) throws(OutputError) {
    let outlines = subject.regions.map(Outline.init)
    let frame = MapFrame(
      points, shapes: shapes, outline: outlines.smallest, origin: subject.origin)
    let page = SVGPage(frame)
    page.begin(subject.title, sink: sink)
    page.appendLand(sink)
    try sink.flushWhenFull()
    page.appendGraticule(sink)
    for outline in outlines { page.append(outline, sink: sink) }
    let scale = try appendRows(page, frame: frame, sink: sink)
    if let origin = subject.origin { page.append(origin, sink: sink) }
    page.endMap(sink)
    page.appendLegend(
      MapWords.rows(rowCount, located: located), scale: scale, hasRegion: !outlines.isEmpty,
      hasOrigin: subject.origin != nil, sink: sink)
    sink.append("</svg>\n")
  }

  /// Appends the rows. Returns the scale of the colours, or nil if each row has a mark.
  private func appendRows(
    _ page: SVGPage, frame: MapFrame, sink: OutputSink
  ) throws(OutputError) -> DensityScale? {
    let isDrawn = shapeLabels.count == shapes.count
    if isDrawn {
      for shape in shapes.drawingOrder {
        page.append(shape, of: shapes, label: shapeLabels[shape.row], sink: sink)
        try sink.flushWhenFull()
      }
    }
    guard labels.count == points.count, isDrawn else {
      var grid = DensityGrid(columns: Int(page.width / 4), rows: Int(page.height / 4))
      for index in 0..<points.count {
        let point = frame.position(points[index].longitude, latitude: points[index].latitude)
        grid.add(point.x, y: point.y)
      }
      for shape in isDrawn ? [] : shapes.shapes {
        let point = frame.position(shape.centre.longitude, latitude: shape.centre.latitude)
        grid.add(point.x, y: point.y)
      }
      let scale = DensityScale(most: grid.most, steps: SVGPage.heat.count)
      page.append(grid, scale: scale, sink: sink)
      return scale
    }
    let radius = labels.count < 200 ? 4.0 : labels.count < 3000 ? 2.5 : 1.5
    for index in 0..<points.count {
      let point = frame.position(points[index].longitude, latitude: points[index].latitude)
      page.appendMark(point, radius: radius, label: labels[index], sink: sink)
      try sink.flushWhenFull()
    }
    return nil
  }
}

/// The number of rows in each square of a map.
struct DensityGrid {
  let columns: Int
  let rows: Int
  private(set) var counts: [Int]

  init(columns: Int, rows: Int) {
    self.columns = max(1, columns)
    self.rows = max(1, rows)
    counts = Array(repeating: 0, count: self.columns * self.rows)
  }

  var most: Int { counts.max() ?? 0 }

  /// Counts a row. `x` and `y` are fractions of the map.
  mutating func add(_ x: Double, y: Double) {
    let across = min(columns - 1, Int(x * Double(columns)))
    let down = min(rows - 1, Int(y * Double(rows)))
    guard across >= 0, down >= 0 else { return }
    counts[down * columns + across] += 1
  }
}
