internal import CairnGeometry
internal import CairnIO
internal import CairnValues

/// A map of the rows for the terminal. Coasts, borders and regions are drawn in Braille, rows in colour, or
/// in shades on terminals without colours.
struct MapEncoder: RowEncoder {
  private let columns: MapColumns
  private let screen: OutputStyle.Screen
  private let subject: MapSubject
  private var points = PointBuffer()
  private var shapes = ShapeBuffer()
  private var rowCount = 0
  /// The number of rows that are shown.
  private var located = 0

  /// The number of lines below the map.
  private static let legendLines = 2
  private static let minColumns = 20
  /// The widest map with borders, in degrees.
  private static let maxBorderSpan = 60.0

  init(_ columns: MapColumns, style: OutputStyle) {
    self.columns = columns
    screen = style.screen
    subject = style.picture
  }

  func begin(_ sink: OutputSink) {}

  mutating func encode(_ row: UnsafeBufferPointer<Cell>, sink: OutputSink) {
    rowCount += 1
    let found = columns.points(of: row, shapes: &shapes)
    for point in found.points { points.append(point) }
    if found.isLocated { located += 1 }
  }

  func end(_ sink: OutputSink) throws(OutputError) {
    let outlines = subject.regions.map(Outline.init)
    let frame = MapFrame(
      points, shapes: shapes, outline: outlines.smallest, origin: subject.origin)
    var canvas = Self.canvas(frame, screen: screen)
    Self.drawBaseMap(frame, canvas: &canvas)
    for outline in outlines { Self.draw(outline, frame: frame, canvas: &canvas) }
    drawShapes(frame, canvas: &canvas)
    for index in 0..<points.count {
      let point = frame.position(points[index].longitude, latitude: points[index].latitude)
      canvas.mark(point.x, y: point.y)
    }
    if let origin = subject.origin {
      let point = frame.position(origin.longitude, latitude: origin.latitude)
      canvas.setCross(point.x, y: point.y)
    }
    let palette = MapPalette(
      DensityScale(most: canvas.maxRows, steps: 4), hasColour: screen.hasColour)
    for row in 0..<canvas.rows {
      sink.append(palette.line((0..<canvas.columns).map { canvas[$0, row] }))
      sink.append("\n")
      try sink.flushWhenFull()
    }
    let legend = MapLegend(
      rows: rowCount, located: located, frame: frame, palette: palette, subject: subject)
    for line in legend.lines(width: screen.columns) {
      sink.append(line)
      sink.append("\n")
    }
  }

  /// Draws the lines and the rings of areas.
  private func drawShapes(_ frame: MapFrame, canvas: inout DotCanvas) {
    let picture = FrameDrawing(frame)
    for shape in shapes.shapes {
      for part in shape.parts {
        for line in picture.lines(shapes.part(part)) {
          for (start, end) in zip(line, line.dropFirst()) {
            canvas.draw(start, end: end, layer: .region)
          }
        }
      }
    }
  }

  /// Returns a canvas as large as the terminal allows, in the frame's aspect ratio. A character is
  /// twice as high as wide.
  private static func canvas(_ frame: MapFrame, screen: OutputStyle.Screen) -> DotCanvas {
    let maxRows = max(5, screen.rows - legendLines - 1)
    let columns = max(minColumns, screen.columns)
    let rows = Int((Double(columns) / frame.aspect / 2).rounded())
    guard rows > maxRows else { return DotCanvas(columns: columns, rows: max(1, rows)) }
    let narrow = Int((Double(maxRows) * frame.aspect * 2).rounded())
    return DotCanvas(columns: min(columns, max(minColumns, narrow)), rows: maxRows)
  }

  private static func drawBaseMap(_ frame: MapFrame, canvas: inout DotCanvas) {
    let picture = FrameDrawing(frame)
    for ring in BaseMap.land {
      picture.forEachLine(ring) { canvas.draw($0, end: $1, layer: .coast) }
    }
    // On a map of continents, borders would only hide rows.
    guard frame.east - frame.west < maxBorderSpan else { return }
    for border in BaseMap.borders {
      picture.forEachLine(border) { canvas.draw($0, end: $1, layer: .coast) }
    }
  }

  private static func draw(_ outline: Outline, frame: MapFrame, canvas: inout DotCanvas) {
    let picture = FrameDrawing(frame)
    for ring in outline.rings {
      picture.forEachLine(ring) { canvas.draw($0, end: $1, layer: .region) }
    }
  }
}

extension [Outline] {
  /// The smallest outline, which shows best where rows lie.
  var smallest: Outline? { self.min { $0.size < $1.size } }
}

extension Outline {
  /// The area of the bounding box in square degrees.
  fileprivate var size: Double {
    let points = rings.joined()
    let (longitudes, latitudes) = (points.map(\.longitude), points.map(\.latitude))
    guard let west = longitudes.min(), let east = longitudes.max(), let south = latitudes.min(),
      let north = latitudes.max()
    else { return .infinity }
    return (east - west) * (north - south)
  }
}

/// The parts of a row that a map shows: its location, its name, and its other values.
struct MapColumns {
  /// The index of the location among the columns.
  let location: Int
  /// The index of the column that names a row, if any.
  let title: Int?
  /// The columns other than the location, with their names.
  let others: [(index: Int, name: String)]
  private let columns: [OutputColumn]

  /// Finds the location and the name among the columns.
  ///
  /// - Throws: `.noLocation` when no column is a location or a geometry.
  init(_ columns: [OutputColumn]) throws(OutputError) {
    guard let location = columns.firstIndex(where: \.isSpatial) else { throw .noLocation }
    self.location = location
    self.columns = columns
    others = columns.indices.filter { $0 != location }.map { ($0, columns[$0].name) }
    title = Self.title(columns)
  }

  /// Returns the column with a suitable name, otherwise the first text column or `id`.
  private static func title(_ columns: [OutputColumn]) -> Int? {
    for name in ["name", "title", "place", "label"] {
      let found = columns.firstIndex { $0.name.lowercased() == name && $0.type == .string }
      if let found { return found }
    }
    return columns.firstIndex { $0.type == .string } ?? columns.firstIndex { $0.name == "id" }
  }

  /// Finds the column of that name and its index.
  func column(named name: String?) -> (index: Int, column: OutputColumn)? {
    name.flatMap { name in columns.firstIndex { $0.name == name } }.map { ($0, columns[$0]) }
  }

  /// Returns the points of a row, and whether it has anything to show. Its lines and areas go into
  /// `shapes`.
  func points(
    of row: UnsafeBufferPointer<Cell>, shapes: inout ShapeBuffer
  ) -> (points: [Position], isLocated: Bool) {
    switch row[location] {
    case .point(let position): return ([position], true)
    case .geometry(let geometry):
      let before = shapes.count
      let points = geometry.withView { shapes.append($0) }
      return (points, !points.isEmpty || shapes.count > before)
    default: return ([], false)
    }
  }
}

/// The locations of all rows, eight bytes each.
struct PointBuffer {
  private var packed: [(longitude: Int32, latitude: Int32)] = []
  private static let scale = 1e7

  var count: Int { packed.count }

  mutating func append(_ point: Position) {
    packed.append(
      (Int32(point.longitude * Self.scale), Int32(point.latitude * Self.scale)))
  }

  /// The location in degrees.
  subscript(index: Int) -> (longitude: Double, latitude: Double) {
    let point = packed[index]
    return (Double(point.longitude) / Self.scale, Double(point.latitude) / Self.scale)
  }
}
