import CairnTestSupport
import Foundation

/// A possible content of the disk after a power failure: everything up to the last sync, and any
/// subset of the sectors written after it.
struct CrashImages {
  private enum Call {
    case write(offset: Int, bytes: Data)
    case sync
    case truncate(Int)
    case rename
  }

  private let base: Data
  private let calls: [Call]

  /// The moments at which the power may fail.
  var count: Int { calls.count + 1 }

  /// The number of calls before the file was renamed; nil if it was not.
  var renaming: Int? { calls.firstIndex { if case .rename = $0 { true } else { false } } }

  /// - Parameter record: The calls as recorded by `tools/faults`.
  init(base: Data, record: Data) throws {
    self.base = base
    var calls: [Call] = []
    var at = 0
    func read(_ size: Int) -> UInt64 {
      defer { at += size }
      return record[at..<at + size].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
    while at < record.count {
      let kind = read(4)
      let offset = Int(read(8))
      let size = Int(read(8))
      switch kind {
      case 1: calls.append(.write(offset: offset, bytes: record[at..<at + size]))
      case 2: calls.append(.sync)
      case 4: calls.append(.rename)
      default: calls.append(.truncate(offset))
      }
      at += size
    }
    self.calls = calls
  }

  private static let sector = 512

  /// The content of the file after a power failure before a call.
  func image(before call: Int, _ random: inout SplitMix64) -> Data {
    var image = base
    let synced = calls[..<call].lastIndex { if case .sync = $0 { true } else { false } } ?? 0
    for done in calls[..<synced] { Self.apply(done, to: &image) }
    for loose in calls[synced..<call].shuffled(using: &random) {
      switch Int.random(in: 0..<3, using: &random) {
      case 0: break
      case 1: Self.apply(loose, to: &image)
      default: Self.applyTorn(loose, to: &image, &random)
      }
    }
    return image
  }

  private static func apply(_ call: Call, to image: inout Data) {
    switch call {
    case .sync, .rename: break
    case .truncate(let size): image = resized(image, size)
    case .write(let offset, let bytes): put(bytes, at: offset, in: &image)
    }
  }

  /// Writes a random subset of the sectors of a write.
  private static func applyTorn(_ call: Call, to image: inout Data, _ random: inout SplitMix64) {
    guard case .write(let offset, let bytes) = call else { return apply(call, to: &image) }
    for start in stride(from: 0, to: bytes.count, by: sector) where Bool.random(using: &random) {
      let end = min(bytes.count, start + sector)
      let piece = bytes[bytes.startIndex + start..<bytes.startIndex + end]
      put(piece, at: offset + start, in: &image)
    }
  }

  private static func put(_ bytes: Data, at offset: Int, in image: inout Data) {
    if image.count < offset + bytes.count { image = resized(image, offset + bytes.count) }
    image.replaceSubrange(offset..<offset + bytes.count, with: bytes)
  }

  private static func resized(_ image: Data, _ size: Int) -> Data {
    size <= image.count ? Data(image.prefix(size)) : image + Data(count: size - image.count)
  }
}
