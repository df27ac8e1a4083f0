import CairnCommand
import CairnFormats
import CairnQuery
import CairnStorage

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// What is fed with any bytes: it may refuse them, but neither crash nor hang, nor contradict itself.
///
/// `make fuzz` lets libFuzzer make the bytes up, the tests replay what it found.
public enum FuzzTarget: String, CaseIterable, Sendable {
  case predicate
  case csv
  case geojson
  case polygon
  case encoding

  /// Feeds some bytes.
  public func feed(_ bytes: [UInt8]) {
    switch self {
    case .predicate: Self.readPredicate(String(decoding: bytes, as: UTF8.self))
    case .csv: Self.load(bytes, .csv)
    case .geojson:
      Self.load(bytes, .geojson)
      Self.load(bytes, .geojsonl)
    case .polygon: PolygonProbe.read(bytes)
    case .encoding: EncodingProbe.read(bytes)
    }
  }

  /// What is read is printed, and reads back as the same.
  private static func readPredicate(_ text: String) {
    guard let predicate = try? Predicate(parsing: text) else { return }
    let printed = "\(predicate)"
    guard let again = try? Predicate(parsing: printed) else {
      fatalError("'\(text)' is printed as '\(printed)', which cannot be read")
    }
    guard "\(again)" == printed else {
      fatalError("'\(text)' is printed as '\(printed)', and that as '\(again)'")
    }
  }

  /// A refused file leaves nothing, an accepted one as many rows as it says.
  private static func load(_ bytes: [UInt8], _ format: InputFormat) {
    let path = write(bytes, "input")
    defer { unlink(path) }
    for policy in RefusalPolicy.allCases {
      var options = ImportOptions()
      options.className = "Row"
      options.format = format
      options.onError = policy
      options.threads = 1
      options.sectionSize = 1 << 16
      guard let store = try? Store.openInMemory(identifier: "fuzz-\(getpid())") else { return }
      let summary = try? Importer.run(files: [path], into: store, options: options)
      let rows = (try? store.snapshot())?.table("Row")?.liveCount ?? 0
      guard rows == summary?.inserted ?? 0 else {
        fatalError("\(rows) rows are there, and \(summary?.inserted ?? 0) were imported")
      }
    }
  }

  private static func write(_ bytes: [UInt8], _ name: String) -> String {
    let folder = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
    let path = "\(folder)/cairn-fuzz-\(getpid())-\(name)"
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    precondition(file >= 0, "cannot write \(path)")
    defer { close(file) }
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes {
        writeOnce(file, UnsafeRawBufferPointer(rebasing: $0[done...]))
      }
      precondition(count > 0, "cannot write \(path)")
      done += count
    }
    return path
  }
}

/// Apart, as a method named `write` hides the system's.
private func writeOnce(_ file: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  write(file, bytes.baseAddress, bytes.count)
}
