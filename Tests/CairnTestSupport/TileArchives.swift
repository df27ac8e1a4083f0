import Foundation

/// An archive in the format PMTiles, read by the words of its specification.
public struct PMTiles {
  /// The compressed tiles by `z/x/y`.
  public private(set) var tiles: [String: Data] = [:]
  /// The metadata in JSON.
  public let metadata: String
  /// The zoom levels in the header.
  public let zooms: ClosedRange<Int>
  /// The number of tiles in the header.
  public let tileCount: Int
  /// The number of leaf directories.
  public private(set) var leafCount = 0

  /// An archive that breaks a rule of its specification.
  public struct Malformed: Error {
    let reason: String
  }

  private let data: Data
  private let folder: TemporaryFolder

  /// Reads an archive.
  ///
  /// - Parameter folder: A folder for temporary files.
  public init(_ data: Data, in folder: TemporaryFolder) throws {
    self.data = data
    self.folder = folder
    guard data.count >= 127, data.prefix(7) == Data("PMTiles".utf8), data[7] == 3, data[97] == 2,
      data[98] == 2, data[99] == 1
    else { throw Malformed(reason: "the header") }
    func number(_ offset: Int) -> Int {
      data[offset..<offset + 8].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    guard number(8) + number(16) <= 16384 else { throw Malformed(reason: "the root's size") }
    zooms = Int(data[100])...Int(data[101])
    tileCount = number(72)
    let text = try folder.gunzipped(data[number(24)..<number(24) + number(32)])
    metadata = String(decoding: text, as: UTF8.self)
    try read(number(8)..<number(8) + number(16), leaves: number(40), tiles: number(56))
  }

  private mutating func read(_ range: Range<Int>, leaves: Int, tiles start: Int) throws {
    var numbers = Varints(bytes: Array(try folder.gunzipped(data[range])))
    let count = numbers.next()
    var tile = 0
    let ids = (0..<count).map { _ in
      tile += numbers.next()
      return tile
    }
    let runs = (0..<count).map { _ in numbers.next() }
    let lengths = (0..<count).map { _ in numbers.next() }
    var next = 0
    for index in 0..<count {
      let stored = numbers.next()
      let offset = stored == 0 ? next : stored - 1
      next = offset + lengths[index]
      guard runs[index] > 0 else {
        leafCount += 1
        let first = leaves + offset
        try read(first..<first + lengths[index], leaves: leaves, tiles: start)
        continue
      }
      for run in 0..<runs[index] {
        let name = Self.name(ids[index] + run)
        guard tiles[name] == nil else { throw Malformed(reason: "\(name) twice") }
        tiles[name] = data[start + offset..<start + next]
      }
    }
  }

  /// The tile of a number: the curve is followed from its beginning, square by square.
  private static func name(_ number: Int) -> String {
    var (z, rest) = (0, number)
    while rest >= 1 << (2 * z) {
      rest -= 1 << (2 * z)
      z += 1
    }
    var (x, y, t, side) = (0, 0, rest, 1)
    while side < 1 << z {
      let right = 1 & (t / 2)
      let upper = 1 & (t ^ right)
      if upper == 0 {
        if right == 1 { (x, y) = (side - 1 - x, side - 1 - y) }
        (x, y) = (y, x)
      }
      x += side * right
      y += side * upper
      t /= 4
      side *= 2
    }
    return "\(z)/\(x)/\(y)"
  }

  private struct Varints {
    let bytes: [UInt8]
    var index = 0

    mutating func next() -> Int {
      var (number, shift) = (0, 0)
      while index < bytes.count {
        number |= Int(bytes[index] & 0x7F) << shift
        index += 1
        shift += 7
        if bytes[index - 1] < 0x80 { break }
      }
      return number
    }
  }
}

extension TemporaryFolder {
  /// Returns the content of data in the gzip format.
  public func gunzipped(_ data: Data) throws -> Data {
    let file = self["\(UUID()).gz"]
    try data.write(to: URL(fileURLWithPath: file))
    defer { try? FileManager.default.removeItem(atPath: file) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["gzip", "-dc", file]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let content = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return content
  }
}

/// A SQLite database, read with the system's library, which the Swift toolchain needs too.
public final class SQLiteFile {
  private typealias Text = @convention(c) (OpaquePointer, Int32) -> UnsafePointer<CChar>?

  /// A library or a statement that does not work.
  public struct Failure: Error {
    let reason: String
  }

  private let library: UnsafeMutableRawPointer
  private var connection: OpaquePointer?

  /// Opens a database.
  public init(_ path: String) throws {
    guard
      let library = dlopen("libsqlite3.so.0", RTLD_NOW)
        ?? dlopen("/usr/lib/libsqlite3.dylib", RTLD_NOW)
    else { throw Failure(reason: "libsqlite3 is not installed") }
    self.library = library
    let open: @convention(c) (UnsafePointer<CChar>, UnsafeMutablePointer<OpaquePointer?>) -> Int32 =
      try function("sqlite3_open")
    guard open(path, &connection) == 0 else { throw Failure(reason: "cannot open \(path)") }
  }

  private func function<Function>(_ name: String) throws -> Function {
    guard let address = dlsym(library, name) else { throw Failure(reason: name) }
    return unsafeBitCast(address, to: Function.self)
  }

  /// Returns the rows of a query as texts.
  public func rows(_ query: String) throws -> [[String]] {
    let prepare:
      @convention(c) (
        OpaquePointer?, UnsafePointer<CChar>, Int32, UnsafeMutablePointer<OpaquePointer?>,
        UnsafeMutableRawPointer?
      ) -> Int32 = try function("sqlite3_prepare_v2")
    let step: @convention(c) (OpaquePointer) -> Int32 = try function("sqlite3_step")
    let count: @convention(c) (OpaquePointer) -> Int32 = try function("sqlite3_column_count")
    let text: Text = try function("sqlite3_column_text")
    var statement: OpaquePointer?
    guard prepare(connection, query, -1, &statement, nil) == 0, let statement else {
      throw Failure(reason: query)
    }
    var rows: [[String]] = []
    while step(statement) == 100 {
      rows.append(
        (0..<count(statement)).map { text(statement, $0).map { String(cString: $0) } ?? "" })
    }
    return rows
  }
}
