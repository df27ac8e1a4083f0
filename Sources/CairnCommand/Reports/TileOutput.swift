import CairnIO
import CairnStorage
import CairnSystem
import CairnTiles
import CairnValues

/// The formats of files of tiles.
enum TileFormat {
  case pmtiles
  case mbtiles

  /// The format for the extension of a path.
  ///
  /// - Throws: A usage failure for any other extension, and for standard output.
  init(_ path: String) throws {
    let name = path.lowercased()
    if name.hasSuffix(".pmtiles") {
      self = .pmtiles
    } else if name.hasSuffix(".mbtiles") {
      self = .mbtiles
    } else {
      throw Failure(
        .usage,
        message: "tiles are written to a file that ends in .pmtiles or .mbtiles, not '\(path)'")
    }
  }
}

/// A file of tiles, which appears under its name only when it is complete.
struct TileOutput {
  private let path: String
  private let format: TileFormat
  private let start = MonotonicClock.seconds

  init(_ path: String, format: TileFormat) throws {
    self.path = path
    self.format = format
    guard !System.isDevice(path) else {
      throw Failure(.usage, message: "tiles are written to a file, and \(path) is a device")
    }
  }

  /// Writes all tiles.
  func write(_ pyramid: TilePyramid, progress: any ProgressReporter) throws {
    let bytes: Int
    let count: Int
    do {
      (count, bytes) =
        switch format {
        case .pmtiles: try writePMTiles(pyramid, progress: progress)
        case .mbtiles: try writeMBTiles(pyramid, progress: progress)
        }
    } catch {
      progress.clear()
      throw error
    }
    progress.finish(summary(count, bytes: bytes))
  }

  private func writePMTiles(
    _ pyramid: TilePyramid, progress: any ProgressReporter
  ) throws -> (tiles: Int, bytes: Int) {
    let target = try OutputTarget(path)
    let archive = PMTilesArchive(target.sink, descriptor: target.descriptor, path: path)
    let count = try write(pyramid, to: archive, progress: progress)
    try target.finish()
    return (count, target.bytesWritten)
  }

  private func writeMBTiles(
    _ pyramid: TilePyramid, progress: any ProgressReporter
  ) throws -> (tiles: Int, bytes: Int) {
    try UsedFiles.rejectOutput(to: path)
    var status = stat()
    let permissions = stat(path, &status) == 0 ? status.st_mode & 0o777 : nil
    let file = try PendingFile(path, permissions: permissions, isNamed: true)
    guard let name = file.temporary else { throw PendingFile.failure(path) }
    let count = try write(pyramid, to: MBTilesArchive(path: name), progress: progress)
    let size = System.size(of: name) ?? 0
    try UsedFiles.requireKept()
    try file.publish()
    return (count, size)
  }

  private func write(
    _ pyramid: TilePyramid, to archive: some TileArchive, progress: any ProgressReporter
  ) throws -> Int {
    try pyramid.write(to: archive) { tiles in
      progress.show(WorkProgress(phase: "tiles", rows: tiles))
    }
  }

  private func summary(_ tiles: Int, bytes: Int) -> WorkSummary {
    let seconds = MonotonicClock.seconds - start
    let name = PrintableText.escaped(path)
    return WorkSummary(
      text: "\(Quantity.counted(tiles, noun: "tile")) written to \(name), "
        + "\(Quantity.bytes(bytes)) in \(Quantity.seconds(seconds))",
      members: [
        "file": JSONBuilder.string(path), "tiles": "\(tiles)", "bytes": "\(bytes)",
        "seconds": "\((seconds * 1000).rounded() / 1000)",
      ])
  }
}
