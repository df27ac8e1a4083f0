import CairnStorage
import CairnSystem
import CairnValues

/// Flips single bits of a store, one at a time, and asks the check of the store about each.
///
///     cairn-worker flips STORE FIRST STEP
///
/// The bits are numbered from 0; every STEP-th from FIRST on is flipped. Prints a line for each flip that
/// the check calls sound, or damaged in its indexes only, although rows are others, and a summary.
struct Flips {
  private let path: String
  private let file: Int32
  private let size: Int
  private let before: [String]

  init(_ path: String) throws {
    self.path = path
    before = try Content.lines(of: path)
    file = openFile(path, flags: O_RDWR)
    var info = stat()
    guard file >= 0, fstat(file, &info) == 0 else { throw Failure() }
    size = Int(info.st_size)
  }

  struct Failure: Error {}

  func run(first: Int, step: Int) throws {
    var counts = (noticed: 0, harmless: 0, missed: 0)
    for bit in stride(from: first, to: size * 8, by: step) {
      let old = try byte(at: bit / 8)
      try setByte(old ^ 1 << UInt8(bit % 8), at: bit / 8)
      switch verdict() {
      case .noticed: counts.noticed += 1
      case .harmless: counts.harmless += 1
      case .missed(let what):
        counts.missed += 1
        print("bit \(bit % 8) of byte \(bit / 8): \(what)")
      }
      try setByte(old, at: bit / 8)
    }
    print(
      "\(counts.noticed) noticed, \(counts.harmless) without effect on rows, \(counts.missed) missed"
    )
  }

  private enum Verdict {
    case noticed
    /// The rows are those before.
    case harmless
    case missed(String)
  }

  /// The verdict of the check on the present file, compared with its rows.
  private func verdict() -> Verdict {
    guard let report = try? Store.verify(path), !report.isDataDamaged else { return .noticed }
    let isOpened = (try? Store.open(path, mode: .readOnly, untrusted: true)) != nil
    if isOpened != report.isSound { return .missed("'untrusted' does not agree with the check") }
    let now = try? Content.lines(of: path)
    if now == before { return .harmless }
    return .missed(
      report.isSound ? "called sound, rows differ" : "called damaged in its indexes, rows differ")
  }

  private func byte(at offset: Int) throws -> UInt8 {
    var byte: UInt8 = 0
    guard pread(file, &byte, 1, off_t(offset)) == 1 else { throw Failure() }
    return byte
  }

  private func setByte(_ byte: UInt8, at offset: Int) throws {
    var byte = byte
    guard pwrite(file, &byte, 1, off_t(offset)) == 1 else { throw Failure() }
  }
}

/// The rows of a store as texts.
enum Content {
  /// A line for each class and each live row, in the order of their keys.
  static func lines(of path: String) throws -> [String] {
    let snapshot = try Store.open(path, mode: .readOnly).snapshot()
    var lines: [String] = []
    for schema in snapshot.schema.tables {
      let table = snapshot.table(schema)
      lines.append("\(schema.name) \(schema.columns.map { "\($0.name) \($0.type)" })")
      for key in 0..<table.endKey where table.isLive(key) {
        lines.append("\(key) \(schema.columns.indices.map { "\(table.value($0, at: key))" })")
      }
    }
    return lines
  }
}
