internal import CairnGeometry

/// A map of the rows for the terminal: coasts and regions in Braille, the rows in colour, or where there is none
/// in shades.
struct MapEncoder: RowEncoder {
  private let columns: PlaceColumns
  private let screen: OutputStyle.Screen
  private let subject: PictureSubject
  private var places = PlaceLog()
  private var rowCount = 0

  /// Lines below the map.
  private static let legendLines = 2
  private static let leastColumns = 20

  init(_ columns: PlaceColumns, _ style: OutputStyle) {
    self.columns = columns
    screen = style.screen
    subject = style.picture
  }

  func begin(_ sink: OutputSink) {}

  mutating func encode(_ row: UnsafeBufferPointer<Cell>, _ sink: OutputSink) {
    rowCount += 1
    if let place = columns.place(row) { places.append(place) }
  }

  func end(_ sink: OutputSink) throws(OutputError) {
    let outlines = subject.regions.map(Outline.init)
    let frame = MapFrame(places, outlines.smallest, subject.origin)
    var canvas = Self.canvas(frame, screen)
    Self.drawCoast(frame, &canvas)
    for outline in outlines { Self.draw(outline, frame, &canvas) }
    for index in 0..<places.count {
      let place = frame.position(places[index].longitude, places[index].latitude)
      canvas.mark(place.x, place.y)
    }
    if let origin = subject.origin {
      let place = frame.position(origin.longitude, origin.latitude)
      canvas.setCross(place.x, place.y)
    }
    let ink = MapInk(DensityScale(most: canvas.mostRows, steps: 4), hasColour: screen.hasColour)
    for row in 0..<canvas.rows {
      sink.append(ink.line((0..<canvas.columns).map { canvas[$0, row] }))
      sink.append("\n")
      try sink.flushWhenFull()
    }
    let legend = MapLegend(
      rows: rowCount, withPlace: places.count, frame: frame, ink: ink, subject: subject)
    for line in legend.lines(width: screen.columns) {
      sink.append(line)
      sink.append("\n")
    }
  }

  /// As large as the terminal allows, in the frame's proportion: a character is twice as high as wide.
  private static func canvas(_ frame: MapFrame, _ screen: OutputStyle.Screen) -> DotCanvas {
    let mostRows = max(5, screen.rows - legendLines - 1)
    let columns = max(leastColumns, screen.columns)
    let rows = Int((Double(columns) / frame.aspect / 2).rounded())
    guard rows > mostRows else { return DotCanvas(columns: columns, rows: max(1, rows)) }
    let narrow = Int((Double(mostRows) * frame.aspect * 2).rounded())
    return DotCanvas(columns: min(columns, max(leastColumns, narrow)), rows: mostRows)
  }

  private static func drawCoast(_ frame: MapFrame, _ canvas: inout DotCanvas) {
    let picture = FramePicture(frame)
    for ring in Coastline.rings {
      picture.forEachLine(ring) { canvas.draw($0, $1, .coast) }
    }
  }

  private static func draw(_ outline: Outline, _ frame: MapFrame, _ canvas: inout DotCanvas) {
    let picture = FramePicture(frame)
    for ring in outline.rings {
      picture.forEachLine(ring) { canvas.draw($0, $1, .region) }
    }
  }
}

extension [Outline] {
  /// The one that says most about where rows lie.
  var smallest: Outline? { self.min { $0.size < $1.size } }
}

extension Outline {
  /// Square degrees of what is about it.
  fileprivate var size: Double {
    let places = rings.joined()
    let (longitudes, latitudes) = (places.map(\.longitude), places.map(\.latitude))
    guard let west = longitudes.min(), let east = longitudes.max(), let south = latitudes.min(),
      let north = latitudes.max()
    else { return .infinity }
    return (east - west) * (north - south)
  }
}
