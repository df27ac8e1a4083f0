/// Options for vector tiles.
public struct TileOptions: Hashable, Sendable {
  /// The properties to write as attributes: names, and paths along links such as `toy.name`. Nil for
  /// all but locations and geometries.
  public var attributes: [String]?
  /// The location or geometry to show; nil for the first one of the class.
  public var geometry: String?
  /// The name of the layer; nil for that of the class.
  public var layerName: String?
  /// The number of units on a side of a tile, 256 ... 65536.
  public var extent = 4096
  /// The width of the margin around a tile in units, up to the extent. Lines and areas are drawn
  /// without a visible edge if it is wider than their outlines.
  public var buffer = 64
  /// The most objects that a tile shows one by one. If there are more, the small ones are counted by
  /// cell; locations are all small.
  public var limit = 4096
  /// The number of cells on a side of a tile, 1 ... 256.
  public var cells = 64

  /// Creates options for all attributes in the layer that is named after the class.
  public init() {}

  /// The name of the attribute of a cell that tells the number of its objects.
  public static let countName = "count"

  /// Throws if a number is out of range.
  func validate() throws(TileError) {
    try Self.check("extent", extent, in: 256...65536)
    try Self.check("buffer", buffer, in: 0...extent)
    try Self.check("limit", limit, in: 0...1_000_000)
    try Self.check("number of cells", cells, in: 1...256)
  }

  private static func check(
    _ name: String, _ value: Int, in range: ClosedRange<Int>
  ) throws(TileError) {
    guard !range.contains(value) else { return }
    throw TileError(
      .usage,
      message: "the \(name) of a tile is \(range.lowerBound) to \(range.upperBound), not \(value)")
  }
}
