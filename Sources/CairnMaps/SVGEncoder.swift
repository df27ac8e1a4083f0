internal import CairnGeometry
internal import CairnIO

/// A map of the rows as an SVG image: land, borders, names, the requested regions, and a mark, a line
/// or an area for each row that shows its values on hover.
///
/// Rows that would cover each other become squares coloured by row count.
struct SVGEncoder: RowEncoder {
  private let columns: MapColumns
  private let subject: MapSubject
  private var points = PointBuffer()
  private var shapes = ShapeBuffer()
  private var styling: RowStyling
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
  /// Fewer rows always get their own marks.
  private static let maxScattered = 300
  /// If there are more rows to an occupied square of the grid, they are shown as squares.
  private static let greatestCrowd = 1.6
  private static let square = 4.0

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
      if points.count <= maxMarks {
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

  private var maxMarks: Int { styling.isUsed ? RowStyling.maxRows : Self.maxMarks }

  /// Returns the row's name, followed by its values that are not null.
  private func label(_ row: UnsafeBufferPointer<Cell>) -> String {
    var lines = columns.title.map { [TableText.text(row[$0])] } ?? []
    for (index, name) in columns.others where index != columns.title && !row[index].isNull {
      lines.append("\(TableText.printable(name)): \(TableText.text(row[index]))")
    }
    return lines.joined(separator: "\n")
  }

  func end(_ sink: OutputSink) throws(OutputError) {
    if styling.isUsed, points.count > maxMarks { throw .tooManyRows(maxMarks) }
    let outlines = subject.regions.map(Outline.init)
    let frame = MapFrame(
      points, shapes: shapes, outline: outlines.smallest, origin: subject.origin)
    let page = SVGPage(frame, hasStyling: styling.isUsed)
    let scales = styling.scales
    var scale: DensityScale?
    try page.append(subject.title, sink: sink) { () throws(OutputError) in
      scale = try appendMap(page, outlines: outlines, scales: scales, sink: sink)
    } legend: {
      page.appendLegend(
        MapWords.rows(rowCount, located: located), scale: scale, styling: scales,
        hasRegion: !outlines.isEmpty, hasOrigin: subject.origin != nil, sink: sink)
    }
  }

  /// Appends the map. Returns the scale of the colours, or nil if each row has a mark.
  private func appendMap(
    _ page: SVGPage, outlines: [Outline], scales: RowStyling.Scales, sink: OutputSink
  ) throws(OutputError) -> DensityScale? {
    let graticule = Graticule(page.frame)
    page.appendBaseMap(sink)
    try sink.flushWhenFull()
    page.append(graticule, sink: sink)
    for outline in outlines { page.append(outline, sink: sink) }
    let scale = try appendRows(page, frame: page.frame, scales: scales, sink: sink)
    if let origin = subject.origin { page.append(origin, sink: sink) }
    page.appendNames(graticule, rows: rowLabels(page.frame, scales: scales), sink: sink)
    return scale
  }

  /// The names of the rows, if they are few.
  private func rowLabels(_ frame: MapFrame, scales: RowStyling.Scales) -> [SVGPage.RowLabel] {
    guard columns.title != nil, points.count + shapes.count <= SVGPage.maxLabels else { return [] }
    func name(_ label: String) -> String {
      String(label.prefix { $0 != "\n" })
    }
    let named = labels.indices.map { index in
      SVGPage.RowLabel(
        text: name(labels[index]),
        point: frame.position(points[index].longitude, latitude: points[index].latitude),
        radius: scales.size.map { styling.radius(index, of: $0) } ?? markRadius)
    }
    return named
      + shapes.shapes.map { shape in
        let centre = frame.position(shape.centre.longitude, latitude: shape.centre.latitude)
        return SVGPage.RowLabel(text: name(shapeLabels[shape.row]), point: centre, radius: 0)
      }
  }

  private var markRadius: Double {
    labels.count < 200 ? 4.0 : labels.count < 3000 ? 2.5 : 1.5
  }

  /// Appends the rows. Returns the scale of the colours, or nil if each row has a mark.
  private func appendRows(
    _ page: SVGPage, frame: MapFrame, scales: RowStyling.Scales, sink: OutputSink
  ) throws(OutputError) -> DensityScale? {
    let isDrawn = shapeLabels.count == shapes.count
    if isDrawn {
      for shape in shapes.drawingOrder {
        let colour = scales.colour.map { $0.entries[styling.shapeClass(shape.row, of: $0)].colour }
        page.append(
          shape, of: shapes, colour: colour, label: shapeLabels[shape.row], sink: sink)
        try sink.flushWhenFull()
      }
    }
    var grid = DensityGrid(
      columns: Int(page.width / Self.square), rows: Int(page.height / Self.square))
    for index in 0..<points.count {
      let point = frame.position(points[index].longitude, latitude: points[index].latitude)
      grid.add(point.x, y: point.y)
    }
    let crowd = grid.rowsPerSquare
    let isCrowded = points.count > Self.maxScattered && crowd > Self.greatestCrowd
    if labels.count == points.count, isDrawn, styling.isUsed || !isCrowded {
      try appendMarks(page, frame: frame, scales: scales, isCrowded: crowd > 1.15, sink: sink)
      return nil
    }
    for shape in isDrawn ? [] : shapes.shapes {
      let point = frame.position(shape.centre.longitude, latitude: shape.centre.latitude)
      grid.add(point.x, y: point.y)
    }
    let scale = DensityScale(most: grid.most, steps: SVGPage.heat.count)
    page.append(grid, scale: scale, sink: sink)
    return scale
  }

  private func appendMarks(
    _ page: SVGPage, frame: MapFrame, scales: RowStyling.Scales, isCrowded: Bool,
    sink: OutputSink
  ) throws(OutputError) {
    page.beginMarks(isCrowded: isCrowded, sink: sink)
    let radii = scales.size.map { size in
      (0..<points.count).map { styling.radius($0, of: size) }
    }
    // Large marks come first, so that they do not hide small ones.
    let order = radii.map { radii in radii.indices.sorted { radii[$1] < radii[$0] } }
    for index in order ?? Array(0..<points.count) {
      let point = frame.position(points[index].longitude, latitude: points[index].latitude)
      let colour = scales.colour.map { $0.entries[styling.pointClass(index, of: $0)].colour }
      page.appendMark(
        point, radius: radii?[index] ?? markRadius, colour: colour, label: labels[index],
        sink: sink)
      try sink.flushWhenFull()
    }
    page.endMarks(sink)
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

  /// The mean number of rows in a square that has any.
  var rowsPerSquare: Double {
    let occupied = counts.count { $0 > 0 }
    return occupied == 0 ? 0 : Double(counts.reduce(0, +)) / Double(occupied)
  }

  /// Counts a row. `x` and `y` are fractions of the map.
  mutating func add(_ x: Double, y: Double) {
    let across = min(columns - 1, Int(x * Double(columns)))
    let down = min(rows - 1, Int(y * Double(rows)))
    guard across >= 0, down >= 0 else { return }
    counts[down * columns + across] += 1
  }
}
