/// A tile of the world in Web Mercator: a zoom level, a column from the west, and a row from the
/// north.
public struct TileID: Hashable, Sendable, BitwiseCopyable {
  /// The zoom level: at level *z*, the world is divided into 2^*z* columns and rows.
  public let z: Int
  /// The column, from 0 at the antimeridian.
  public let x: Int
  /// The row, from 0 at the latitude 85.0511.
  public let y: Int

  /// The highest zoom level. Its tiles are about two metres wide.
  public static let maxZoom = 24

  /// Creates the name of a tile.
  ///
  /// - Throws: ``TileError`` of the kind `invalidTile` if the zoom level is not 0 ... 24, or if the
  ///   level has no such column or row.
  public init(z: Int, x: Int, y: Int) throws(TileError) {
    guard (0...Self.maxZoom).contains(z) else {
      throw TileError(
        .invalidTile, message: "zoom level \(z) is not one of 0 to \(Self.maxZoom)")
    }
    let last = 1 << z - 1
    for (name, value) in [("column", x), ("row", y)] where !(0...last).contains(value) {
      throw TileError(
        .invalidTile, message: "zoom level \(z) has no tile \(name) \(value), only 0 to \(last)")
    }
    self.init(checkedZ: z, x: x, y: y)
  }

  init(checkedZ z: Int, x: Int, y: Int) {
    self.z = z
    self.x = x
    self.y = y
  }
}

extension TileID: CustomStringConvertible {
  /// The tile as `z/x/y`.
  public var description: String { "\(z)/\(x)/\(y)" }
}

/// The reason why there is no tile.
public struct TileError: Error, CustomStringConvertible, Sendable, Equatable {
  /// The kind of an error.
  public enum Kind: Sendable {
    /// The zoom level, the column or the row does not exist.
    case invalidTile
    /// An option does not fit the class, or has no such value.
    case usage
    /// A value cannot be written.
    case data
    /// A file cannot be written.
    case io
    /// A required library is not installed.
    case library
  }

  /// The kind of the error.
  public let kind: Kind
  /// A message with the cause and a remedy.
  public let message: String

  /// The message.
  public var description: String { message }

  package init(_ kind: Kind, message: String) {
    self.kind = kind
    self.message = message
  }
}
