import CairnTiles
import Testing

@Suite struct TileIDTests {
  @Test(arguments: [(-1, 0, 0), (25, 0, 0), (0, 1, 0), (0, 0, 1), (3, 8, 0), (3, 0, -1)])
  func tilesThatDoNotExistAreErrors(_ z: Int, _ x: Int, _ y: Int) {
    #expect(throws: TileError.self) { try TileID(z: z, x: x, y: y) }
  }

  @Test func errorsNameTheRange() throws {
    let error = #expect(throws: TileError.self) { try TileID(z: 3, x: 8, y: 0) }
    #expect(error?.kind == .invalidTile)
    #expect(error?.message == "zoom level 3 has no tile column 8, only 0 to 7")
  }
}
