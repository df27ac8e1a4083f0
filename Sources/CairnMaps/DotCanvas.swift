/// A canvas of Braille dots on the characters of a terminal: two across and four down in each.
struct DotCanvas {
  let columns: Int
  let rows: Int
  private var lines: [UInt8]
  private var edges: [UInt8]
  private var dots: [UInt8]
  private var counts: [Int]
  /// The index of the character with the cross of the origin, if any.
  private(set) var cross: Int?

  init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
    lines = Array(repeating: 0, count: columns * rows)
    edges = lines
    dots = lines
    counts = Array(repeating: 0, count: columns * rows)
  }

  /// The kind of a line.
  enum Layer {
    case coast
    case region
  }

  /// The content of one character: the dots of coasts, regions and rows, and the number of rows.
  struct Character {
    let coast: UInt8
    let region: UInt8
    let rows: UInt8
    let count: Int
    let hasCross: Bool
  }

  subscript(column: Int, row: Int) -> Character {
    let index = row * columns + column
    return Character(
      coast: lines[index], region: edges[index], rows: dots[index], count: counts[index],
      hasCross: index == cross)
  }

  /// The greatest number of rows in one character.
  var maxRows: Int { counts.max() ?? 0 }

  /// Counts a row. `x` and `y` are fractions of the canvas.
  mutating func mark(_ x: Double, y: Double) {
    guard let (across, down) = dot(x, y: y) else { return }
    let index = down / 4 * columns + across / 2
    dots[index] |= Self.bit(across, y: down)
    counts[index] += 1
  }

  /// Sets the cross, which covers everything else in its character.
  mutating func setCross(_ x: Double, y: Double) {
    cross = dot(x, y: y).map { $0.down / 4 * columns + $0.across / 2 }
  }

  private func dot(_ x: Double, y: Double) -> (across: Int, down: Int)? {
    let across = min(columns * 2 - 1, Int(x * Double(columns * 2)))
    let down = min(rows * 4 - 1, Int(y * Double(rows * 4)))
    return across >= 0 && down >= 0 ? (across, down) : nil
  }

  /// Draws a straight line, clipped to the canvas.
  mutating func draw(
    _ start: (x: Double, y: Double), end: (x: Double, y: Double), layer: Layer
  ) {
    guard let (from, to) = UnitClip.line(start, end: end) else { return }
    let (width, height) = (Double(columns * 2 - 1), Double(rows * 4 - 1))
    let (across, down) = ((to.x - from.x) * width, (to.y - from.y) * height)
    let steps = max(1, Int(max(abs(across), abs(down)).rounded(.up)))
    for step in 0...steps {
      let part = Double(step) / Double(steps)
      let x = Int((from.x * width + across * part).rounded())
      let y = Int((from.y * height + down * part).rounded())
      let index = y / 4 * columns + x / 2
      switch layer {
      case .coast: lines[index] |= Self.bit(x, y: y)
      case .region: edges[index] |= Self.bit(x, y: y)
      }
    }
  }

  /// Returns the dot's bit in a Braille character.
  private static func bit(_ x: Int, y: Int) -> UInt8 {
    let left: [UInt8] = [0x01, 0x02, 0x04, 0x40]
    let right: [UInt8] = [0x08, 0x10, 0x20, 0x80]
    return x & 1 == 0 ? left[y & 3] : right[y & 3]
  }
}

/// Clips lines and rings to the square from 0 to 1.
enum UnitClip {
  typealias Point = (x: Double, y: Double)

  /// Returns the part of a line inside the square, if any.
  static func line(_ start: Point, end: Point) -> (Point, Point)? {
    let (across, down) = (end.x - start.x, end.y - start.y)
    var (low, high) = (0.0, 1.0)
    for (step, room) in [
      (-across, start.x), (across, 1 - start.x), (-down, start.y), (down, 1 - start.y),
    ] {
      if step == 0 {
        if room < 0 { return nil }
      } else if step < 0 {
        low = max(low, room / step)
      } else {
        high = min(high, room / step)
      }
    }
    guard low <= high else { return nil }
    return (
      (start.x + across * low, start.y + down * low),
      (start.x + across * high, start.y + down * high)
    )
  }

  /// Returns the part of a filled ring inside the square widened by `margin` on all sides.
  static func ring(_ ring: [Point], margin: Double) -> [Point] {
    let (low, high) = (-margin, 1 + margin)
    var points = cut(ring, depth: { $0.x - low })
    points = cut(points, depth: { high - $0.x })
    points = cut(points, depth: { $0.y - low })
    return cut(points, depth: { high - $0.y })
  }

  /// Returns the part of a ring where `depth` is not negative.
  private static func cut(_ ring: [Point], depth: (Point) -> Double) -> [Point] {
    guard var last = ring.last else { return [] }
    var lastDepth = depth(last)
    var kept: [Point] = []
    for point in ring {
      let here = depth(point)
      if (here < 0) != (lastDepth < 0) {
        let part = lastDepth / (lastDepth - here)
        kept.append((last.x + (point.x - last.x) * part, last.y + (point.y - last.y) * part))
      }
      if here >= 0 { kept.append(point) }
      (last, lastDepth) = (point, here)
    }
    return kept
  }
}
