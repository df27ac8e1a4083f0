/// The ends and corners of a buffer, and how many edges its arcs have.
public struct BufferStyle: Hashable, Sendable {
  /// The end of a line.
  public enum Cap: String, Hashable, Sendable, CaseIterable {
    /// A half circle around the end.
    case round
    /// A straight edge through the end. A point has no buffer with this cap.
    case flat
    /// A straight edge beyond the end, at the distance from it. A point gets a square.
    case square
  }

  /// The outer side of a corner.
  public enum Join: String, Hashable, Sendable, CaseIterable {
    /// An arc around the corner.
    case round
    /// The edges continue until they meet, up to the limit.
    case mitre
    /// A straight edge between the ends of the edges.
    case bevel
  }

  /// The number of edges of a quarter of a circle, 1 to 256.
  public var quadSegments: Int
  /// The ends of lines.
  public var cap: Cap
  /// The corners of lines and outlines.
  public var join: Join
  /// The greatest distance of the tip of a mitre from its corner, in distances of the buffer, 1 or
  /// more. A sharper corner is cut off.
  public var mitreLimit: Double

  /// Creates a style.
  public init(
    quadSegments: Int = 16, cap: Cap = .round, join: Join = .round, mitreLimit: Double = 5
  ) {
    self.quadSegments = quadSegments
    self.cap = cap
    self.join = join
    self.mitreLimit = mitreLimit
  }

  /// Arcs at ends and corners, of 64 edges in a circle.
  public static let round = BufferStyle()

  /// Throws if a number is out of its range.
  func check() throws(GeometryError) {
    guard 1...256 ~= quadSegments else {
      throw GeometryError(
        .outOfRange,
        message: "a quarter of a circle has \(quadSegments) segments; expected 1 to 256")
    }
    guard mitreLimit >= 1, mitreLimit.isFinite else {
      throw GeometryError(
        .outOfRange, message: "the limit of mitres is \(mitreLimit); expected 1 or more")
    }
  }
}
