internal import CairnGeometry
internal import CairnIO
import CairnSystem
internal import CairnValues

/// The parts of an SVG map.
struct SVGPage {
  /// The size of the map in pixels.
  let width = 960.0
  let height: Double
  let frame: MapFrame
  private let picture: FrameDrawing

  static let top = 36.0
  static let bottom = 40.0
  /// Colours from few rows to many.
  static let heat = ["#f4a261", "#ec7b52", "#d94a4a", "#b02a55", "#701e5f"]

  /// The height of the line that explains colours and sizes; 0 without one.
  private let stylingHeight: Double

  init(_ frame: MapFrame, hasStyling: Bool) {
    self.frame = frame
    stylingHeight = hasStyling ? 30 : 0
    picture = FrameDrawing(frame)
    height = (width / frame.aspect).rounded()
  }

  /// The width of the map in kilometres; nil if the scale varies too much from south to north.
  var kilometresAcross: Double? {
    frame.north - frame.south < 40 ? (frame.east - frame.west) * frame.squeeze * 111.319 : nil
  }

  /// The values of the image.
  enum Placeholder: String {
    case width, height, title, style, heading, mapTop, mapHeight, map, legend
  }

  /// The markup around the map and its legend.
  private static let template = PageTemplate<Placeholder>(PackageResources.picture_svg)

  /// Appends the image, with a map and a legend that closures append.
  func append(
    _ title: String, sink: OutputSink, map: () throws(OutputError) -> Void,
    legend: () -> Void
  ) throws(OutputError) {
    try sink.append(Self.template) { (placeholder) throws(OutputError) in
      switch placeholder {
      case .width: sink.append("\(Int(width))")
      case .height:
        sink.append("\(Int(height + Self.top + Self.bottom + stylingHeight))")
      case .title: sink.append(XMLText.escaped(title))
      case .style: sink.append(PackageResources.picture_css)
      case .heading: sink.append(XMLText.escaped(XMLText.shortened(title, to: 110)))
      case .mapTop: sink.append("\(Int(Self.top))")
      case .mapHeight: sink.append("\(Int(height))")
      case .map: try map()
      case .legend: legend()
      }
    }
  }

  /// Appends the land and the borders between countries.
  func appendBaseMap(_ sink: OutputSink) {
    var land = ""
    for ring in BaseMap.land {
      for area in picture.areas(ring) { land += path(area, end: "Z", leastStep: 1) ?? "" }
    }
    if !land.isEmpty { sink.append("<path class=\"land\" d=\"\(land)\"/>\n") }
    var borders = ""
    for border in BaseMap.borders {
      for line in picture.lines(border) { borders += path(line, end: "", leastStep: 1) ?? "" }
    }
    if !borders.isEmpty { sink.append("<path class=\"border\" d=\"\(borders)\"/>\n") }
  }

  /// Appends meridians and parallels.
  func append(_ graticule: Graticule, sink: OutputSink) {
    let lines = graticule.lines.reduce(into: "") { $0 += path($1, end: "") ?? "" }
    sink.append("<path class=\"grid\" d=\"\(lines)\"/>\n")
  }

  /// Appends a region; its holes are not filled.
  func append(_ outline: Outline, sink: OutputSink) {
    let path = outline.rings.reduce(into: "") { path, ring in
      for area in picture.areas(ring) { path += self.path(area) }
    }
    if !path.isEmpty { sink.append("<path class=\"region\" d=\"\(path)\"/>\n") }
  }

  /// Appends the areas and the lines of a row.
  func append(
    _ shape: ShapeBuffer.Shape, of shapes: ShapeBuffer, colour: String?, label: String,
    sink: OutputSink
  ) {
    let fill = colour.map { " style=\"fill:\($0);fill-opacity:.6;stroke:\($0)\"" } ?? ""
    let stroke = colour.map { " style=\"stroke:\($0)\"" } ?? ""
    let title = "<title>\(XMLText.escaped(label))</title></path>\n"
    var (areas, lines) = ("", "")
    for part in shape.parts {
      if part - shape.parts.lowerBound < shape.ringCount {
        let isHole = !areas.isEmpty
        for area in picture.areas(shapes.part(part)) {
          areas += path(area, end: "Z") ?? (isHole ? "" : dot(area))
        }
      } else {
        for line in picture.lines(shapes.part(part)) { lines += path(line, end: "") ?? dot(line) }
      }
    }
    if !areas.isEmpty { sink.append("<path class=\"area\" d=\"\(areas)\"\(fill)>\(title)") }
    if !lines.isEmpty { sink.append("<path class=\"line\" d=\"\(lines)\"\(stroke)>\(title)") }
  }

  /// Returns a path of one pixel, for what is too small to have a form.
  private func dot(_ points: [(x: Double, y: Double)]) -> String {
    guard let point = points.first else { return "" }
    return "M\(number(point.x * width)) \(number(point.y * height))h.5v.5h-.5Z"
  }

  /// Begins the marks of the rows. Crowded marks have no rims and let others show through.
  func beginMarks(isCrowded: Bool, sink: OutputSink) {
    sink.append(isCrowded ? "<g class=\"crowd\">\n" : "<g>\n")
  }

  func endMarks(_ sink: OutputSink) { sink.append("</g>\n") }

  func appendMark(
    _ place: (x: Double, y: Double), radius: Double, colour: String?, label: String,
    sink: OutputSink
  ) {
    let style = colour.map { " style=\"fill:\($0)\"" } ?? ""
    sink.append(
      "<circle class=\"row\" cx=\"\(number(place.x * width))\" cy=\"\(number(place.y * height))\" r=\"\(number(radius))\"\(style)><title>\(XMLText.escaped(label))</title></circle>\n"
    )
  }

  /// Appends the squares of a grid, one path for each colour.
  func append(_ grid: DensityGrid, scale: DensityScale, sink: OutputSink) {
    let size = (x: width / Double(grid.columns), y: height / Double(grid.rows))
    var paths = scale.bounds.map { _ in "" }
    for (index, count) in grid.counts.enumerated() where count > 0 {
      let x = number(Double(index % grid.columns) * size.x)
      let y = number(Double(index / grid.columns) * size.y)
      let (across, down) = (number(size.x), number(size.y))
      paths[scale.step(of: count)] += "M\(x) \(y)h\(across)v\(down)h-\(across)z"
    }
    for (step, path) in paths.enumerated() where !path.isEmpty {
      sink.append(
        "<path fill=\"\(Self.colour(step, of: scale))\" d=\"\(path)\"><title>\(scale.labels[step]) rows here</title></path>\n"
      )
    }
  }

  static func colour(_ step: Int, of scale: DensityScale) -> String {
    heat[scale.bounds.count == 1 ? 2 : step * (heat.count - 1) / max(1, scale.bounds.count - 1)]
  }

  /// Appends a cross at the origin of distances.
  func append(_ origin: GeoPoint, sink: OutputSink) {
    let place = frame.position(origin.longitude, latitude: origin.latitude)
    let (x, y) = (number(place.x * width), number(place.y * height))
    sink.append("<path class=\"origin\" d=\"M\(x) \(y)m-7 0h14m-7-7v14\"/>\n")
  }

  /// Returns a path of a closed ring.
  private func path(_ points: [(x: Double, y: Double)]) -> String {
    path(points, end: "Z") ?? ""
  }

  /// Returns a path that ends with `end`, or nil if it has no visible extent.
  ///
  /// - Parameter leastStep: The length in pixels of a step that is visible.
  private func path(
    _ points: [(x: Double, y: Double)], end: String, leastStep: Double = 0.5
  ) -> String? {
    var path = ""
    var steps = 0
    var last = (x: Double.infinity, y: Double.infinity)
    for point in points {
      let (x, y) = (point.x * width, point.y * height)
      guard max(abs(x - last.x), abs(y - last.y)) >= leastStep else { continue }
      path += (path.isEmpty ? "M" : "L") + number(x) + " " + number(y)
      last = (x, y)
      steps += 1
    }
    return steps > 1 ? path + end : nil
  }

  /// Returns a number in pixels, rounded to tenths.
  func number(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return tenths % 10 == 0
      ? "\(tenths / 10)" : "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
  }
}
