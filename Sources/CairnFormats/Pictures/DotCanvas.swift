/// Dots on the characters of a terminal: two across, four down in each, as Braille has them.
struct DotCanvas {
  let columns: Int
  let rows: Int
  private var lines: [UInt8]
  private var edges: [UInt8]
  private var dots: [UInt8]
  private var counts: [Int]
  /// The character that has the cross of `--near`; nil: none has it.
  private(set) var cross: Int?

  init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
    lines = Array(repeating: 0, count: columns * rows)
    edges = lines
    dots = lines
    counts = Array(repeating: 0, count: columns * rows)
  }

  /// What a line belongs to.
  enum Layer {
    case coast
    case region
  }

  /// What one character holds: dots of coast, region and rows, and how many rows.
  struct Character {
    let coast: UInt8
    let region: UInt8
    let rows: UInt8
    let count: Int
    let hasCross: Bool
  }

  subscript(column: Int, row: Int) -> Character {
    let place = row * columns + column
    return Character(
      coast: lines[place], region: edges[place], rows: dots[place], count: counts[place],
      hasCross: place == cross)
  }

  /// The most rows of one character.
  var mostRows: Int { counts.max() ?? 0 }

  /// Counts a row; x and y are parts of the whole.
  mutating func mark(_ x: Double, _ y: Double) {
    guard let (across, down) = dot(x, y) else { return }
    let place = down / 4 * columns + across / 2
    dots[place] |= Self.bit(across, down)
    counts[place] += 1
  }

  /// Sets the cross, over whatever else is there.
  mutating func setCross(_ x: Double, _ y: Double) {
    cross = dot(x, y).map { $0.down / 4 * columns + $0.across / 2 }
  }

  private func dot(_ x: Double, _ y: Double) -> (across: Int, down: Int)? {
    let across = min(columns * 2 - 1, Int(x * Double(columns * 2)))
    let down = min(rows * 4 - 1, Int(y * Double(rows * 4)))
    return across >= 0 && down >= 0 ? (across, down) : nil
  }

  /// Draws a straight line; what lies outside is left out.
  mutating func draw(
    _ start: (x: Double, y: Double), _ end: (x: Double, y: Double), _ layer: Layer
  ) {
    guard let (from, to) = UnitClip.line(start, end) else { return }
    let (width, height) = (Double(columns * 2 - 1), Double(rows * 4 - 1))
    let (across, down) = ((to.x - from.x) * width, (to.y - from.y) * height)
    let steps = max(1, Int(max(abs(across), abs(down)).rounded(.up)))
    for step in 0...steps {
      let part = Double(step) / Double(steps)
      let x = Int((from.x * width + across * part).rounded())
      let y = Int((from.y * height + down * part).rounded())
      let place = y / 4 * columns + x / 2
      switch layer {
      case .coast: lines[place] |= Self.bit(x, y)
      case .region: edges[place] |= Self.bit(x, y)
      }
    }
  }

  /// The dot's bit in a Braille character.
  private static func bit(_ x: Int, _ y: Int) -> UInt8 {
    let left: [UInt8] = [0x01, 0x02, 0x04, 0x40]
    let right: [UInt8] = [0x08, 0x10, 0x20, 0x80]
    return x & 1 == 0 ? left[y & 3] : right[y & 3]
  }
}

/// Cuts lines and rings to the square from 0 to 1.
enum UnitClip {
  typealias Point = (x: Double, y: Double)

  /// The part of a line inside; nil: none.
  static func line(_ start: Point, _ end: Point) -> (Point, Point)? {
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

  /// The part of a filled ring inside the square, widened by `margin` on all sides.
  static func ring(_ ring: [Point], margin: Double) -> [Point] {
    let (low, high) = (-margin, 1 + margin)
    var points = cut(ring, { $0.x - low })
    points = cut(points, { high - $0.x })
    points = cut(points, { $0.y - low })
    return cut(points, { high - $0.y })
  }

  /// What lies on the side of a line where `depth` is not negative.
  private static func cut(_ ring: [Point], _ depth: (Point) -> Double) -> [Point] {
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
