/// The place of a tile as a URL names it.
struct TileAddress: Equatable {
  /// The name of the tile matrix set; nil in the URLs of web maps, which know only one.
  let matrixSet: String?
  let matrix: String
  let row: String
  let column: String

  /// A tile in the order of OGC API – Tiles, with the row before the column.
  init(matrixSet: String?, matrix: String, row: String, column: String) {
    self.matrixSet = matrixSet
    self.matrix = matrix
    self.row = row
    self.column = column
  }

  /// A tile in the order of web maps; the row may end with `.mvt` or `.pbf`.
  init(z: String, x: String, y: String) {
    let suffix = [".mvt", ".pbf"].first(where: y.hasSuffix) ?? ""
    self.init(matrixSet: nil, matrix: z, row: String(y.dropLast(suffix.count)), column: x)
  }
}
