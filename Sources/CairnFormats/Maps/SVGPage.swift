internal import CairnGeometry
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

  func begin(_ title: String, sink: OutputSink) {
    let all = Int(height + Self.top + Self.bottom + stylingHeight)
    sink.append(
      """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Int(width)) \(all)" \
      width="\(Int(width))" height="\(all)" role="img" font-family="system-ui, sans-serif">
      <title>\(XMLText.escaped(title))</title>
      <style>\(Self.style)</style>
      <clipPath id="frame"><rect width="\(Int(width))" height="\(Int(height))"/></clipPath>
      <rect class="page" width="100%" height="100%"/>
      <text class="title" x="12" y="24">\(XMLText.escaped(XMLText.shortened(title, to: 110)))</text>
      <g transform="translate(0 \(Int(Self.top)))"><g clip-path="url(#frame)">
      <rect class="sea" width="\(Int(width))" height="\(Int(height))"/>

      """)
  }

  private static let style = """
    .page{fill:#fff}.sea{fill:#dce9f2}.land{fill:#f4efe1;stroke:#c3b9a2;stroke-width:.5}\
    .border{fill:none;stroke:#b5a78a;stroke-width:.7;stroke-linejoin:round}\
    .grid{fill:none;stroke:#8aa4b8;stroke-opacity:.35;stroke-width:.5}\
    .region{fill:#1f78b4;fill-opacity:.12;fill-rule:evenodd;stroke:#1f78b4;stroke-width:1.5}\
    .area{fill:#d1344b;fill-opacity:.22;fill-rule:evenodd;stroke:#b3243c;stroke-width:.6;\
    stroke-linejoin:round}.area:hover{fill-opacity:.6}\
    .line{fill:none;stroke:#d1344b;stroke-width:1.4;stroke-linejoin:round;stroke-linecap:round}\
    .line:hover{stroke:#000;stroke-width:3}\
    .row{fill:#d1344b;fill-opacity:.8;stroke:#fff;stroke-width:.5}.row:hover{fill:#000}\
    .crowd .row{fill-opacity:.5;stroke:none}\
    .origin{fill:none;stroke:#111;stroke-width:1.5}\
    .town{fill:#6b6355}.names text,.degrees text{paint-order:stroke;stroke:#fff;stroke-opacity:.75;\
    stroke-width:2.5px;stroke-linejoin:round;pointer-events:none}.label{font-weight:600}\
    .names .country{fill:#8a7a58;font-size:11px;letter-spacing:.8px}\
    .names .place{fill:#5f584b;font-size:10.5px}.degrees text{fill:#5b7488;font-size:9.5px}\
    text{fill:#222;font-size:12px}.title{font-size:15px;font-weight:600}.small{fill:#666;font-size:10px}\
    .bar{fill:none;stroke:#222}\
    @media(prefers-color-scheme:dark){.page{fill:#14181d}.sea{fill:#1b2731}\
    .land{fill:#343b38;stroke:#59625c}.border{stroke:#6d766f}.town{fill:#b9bfb6}\
    .names text,.degrees text{stroke:#14181d}.names .country{fill:#a9a48f}\
    .names .place{fill:#b9bfb6}.degrees text{fill:#8aa4b8}.row{fill:#ff7a70;stroke:#14181d}.row:hover{fill:#fff}\
    .area{fill:#ff7a70;stroke:#ff9a90}.line{stroke:#ff7a70}.line:hover{stroke:#fff}\
    .region{fill:#6cb6e8;stroke:#6cb6e8}.origin,.bar{stroke:#eee}text{fill:#e4e6e8}.small{fill:#9aa1a8}}
    """

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

  func endMap(_ sink: OutputSink) { sink.append("</g></g>\n") }

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
