internal import CairnGeometry

/// A map of the rows as a picture: land, the regions asked for, a mark for each row with its values when pointed at.
///
/// Many rows become squares coloured by how many they hold.
struct SVGEncoder: RowEncoder {
  private let columns: PlaceColumns
  private let subject: PictureSubject
  private var places = PlaceLog()
  private var labels: [String] = []
  private var rowCount = 0

  /// Rows that get a mark of their own, at most.
  static let mostMarks = 20_000

  init(_ columns: PlaceColumns, _ subject: PictureSubject) {
    self.columns = columns
    self.subject = subject
  }

  func begin(_ sink: OutputSink) {}

  mutating func encode(_ row: UnsafeBufferPointer<Cell>, _ sink: OutputSink) {
    rowCount += 1
    guard let place = columns.place(row) else { return }
    places.append(place)
    if places.count <= Self.mostMarks {
      labels.append(label(row))
    } else if !labels.isEmpty {
      labels = []
    }
  }

  /// The row's name, and under it the values that are not null.
  private func label(_ row: UnsafeBufferPointer<Cell>) -> String {
    var lines = columns.title.map { [TableText.text(row[$0])] } ?? []
    for (place, name) in columns.others where place != columns.title && !row[place].isNull {
      lines.append("\(TableText.printable(name)): \(TableText.text(row[place]))")
    }
    return lines.joined(separator: "\n")
  }

  func end(_ sink: OutputSink) throws(OutputError) {
    let outlines = subject.regions.map(Outline.init)
    let frame = MapFrame(places, outlines.smallest, subject.origin)
    let page = SVGPage(frame)
    page.begin(subject.title, sink)
    page.appendLand(sink)
    try sink.flushWhenFull()
    page.appendGraticule(sink)
    for outline in outlines { page.append(outline, sink) }
    let scale = try appendRows(page, frame, sink)
    if let origin = subject.origin { page.append(origin, sink) }
    page.endMap(sink)
    page.appendLegend(
      PictureWords.rows(rowCount, withPlace: places.count), scale, hasRegion: !outlines.isEmpty,
      hasOrigin: subject.origin != nil, sink)
    sink.append("</svg>\n")
  }

  /// The scale of the colours; nil where each row has a mark.
  private func appendRows(
    _ page: SVGPage, _ frame: MapFrame, _ sink: OutputSink
  ) throws(OutputError) -> DensityScale? {
    guard labels.count == places.count else {
      var grid = DensityGrid(columns: Int(page.width / 4), rows: Int(page.height / 4))
      for index in 0..<places.count {
        let place = frame.position(places[index].longitude, places[index].latitude)
        grid.add(place.x, place.y)
      }
      let scale = DensityScale(most: grid.most, steps: SVGPage.heat.count)
      page.append(grid, scale, sink)
      return scale
    }
    let radius = labels.count < 200 ? 4.0 : labels.count < 3000 ? 2.5 : 1.5
    for index in 0..<places.count {
      let place = frame.position(places[index].longitude, places[index].latitude)
      page.appendMark(place, radius, labels[index], sink)
      try sink.flushWhenFull()
    }
    return nil
  }
}

/// How many rows lie in each square of a picture.
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

  /// Counts a row; x and y are parts of the whole.
  mutating func add(_ x: Double, _ y: Double) {
    let across = min(columns - 1, Int(x * Double(columns)))
    let down = min(rows - 1, Int(y * Double(rows)))
    guard across >= 0, down >= 0 else { return }
    counts[down * columns + across] += 1
  }
}
