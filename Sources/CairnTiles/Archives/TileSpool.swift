import CairnSystem

/// The bytes of tiles by zoom level, which come in any order of the levels.
///
/// The bytes of each level are collected in a block. A full block is written to a temporary file, so
/// that memory stays bounded, and reading and writing are sequential.
final class TileSpool {
  private struct Level {
    /// The blocks in the temporary file.
    var blocks: [Range<Int>] = []
    /// The bytes after them.
    var rest: [UInt8] = []
    var size = 0
  }

  private let path: String
  private var levels = Array(repeating: Level(), count: TileID.maxZoom + 1)
  /// The temporary file; nil until a block is full.
  private var file: NamelessFile?
  private var end = 0

  private static let blockSize = 1 << 20

  /// - Parameter path: The path of a file, beside which there may be a temporary one.
  init(beside path: String) { self.path = path }

  /// The number of bytes of a zoom level.
  func size(ofZoom zoom: Int) -> Int { levels[zoom].size }

  /// Appends bytes to a zoom level, and returns their offset within it.
  func append(_ bytes: [UInt8], zoom: Int) throws(TileError) -> Int {
    let offset = levels[zoom].size
    levels[zoom].rest += bytes
    levels[zoom].size += bytes.count
    if levels[zoom].rest.count >= Self.blockSize { try write(&levels[zoom]) }
    return offset
  }

  private func write(_ level: inout Level) throws(TileError) {
    try withFile { file throws(SystemCallError) in try file.write(level.rest, at: end) }
    level.blocks.append(end..<end + level.rest.count)
    end += level.rest.count
    level.rest.removeAll(keepingCapacity: true)
  }

  /// Calls `body` with the bytes of a zoom level, block by block.
  func forEachBlock(
    ofZoom zoom: Int, _ body: ([UInt8]) throws(TileError) -> Void
  ) throws(TileError) {
    for range in levels[zoom].blocks {
      var block: [UInt8] = []
      try withFile { file throws(SystemCallError) in
        block = try file.read(range.count, at: range.lowerBound)
      }
      try body(block)
    }
    try body(levels[zoom].rest)
  }

  private func withFile(
    _ body: (NamelessFile) throws(SystemCallError) -> Void
  ) throws(TileError) {
    do throws(SystemCallError) {
      if file == nil { file = try NamelessFile(beside: path) }
      if let file { try body(file) }
    } catch {
      throw TileError(
        .io, message: "a temporary file beside \(path) failed: \(errorText(error.code))")
    }
  }
}
