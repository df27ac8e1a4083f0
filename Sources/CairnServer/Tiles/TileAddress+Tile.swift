import CairnTiles

extension TileAddress {
  /// The tile.
  ///
  /// - Throws: A problem if a part is not a number, or if the zoom level has no tile there.
  func tile() throws -> TileID {
    if let matrixSet { try TileMatrixSet.check(matrixSet) }
    return try TileID(
      z: Self.number(matrix, of: "zoom level"), x: Self.number(column, of: "column"),
      y: Self.number(row, of: "row"))
  }

  private static func number(_ text: String, of part: String) throws(Problem) -> Int {
    guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else {
      throw .badRequest("the \(part) of a tile is a number, not '\(text)'")
    }
    return Int(text) ?? .max
  }
}
