#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Numbers names from 0, and finds them again by their bytes. Members come in nearly the same order
/// in every Feature, so that the place of the last one says where to look.
struct NameTable {
  /// A name as it stood at a place of the last Feature. Its bytes are read through a pointer: an array would be retained
  /// and released for each.
  private struct Expected {
    let number: Int
    let bytes: UnsafeBufferPointer<UInt8>
  }

  private(set) var names: [String] = []
  private let memory = NameMemory()
  private var numbers: [String: Expected] = [:]
  private var expected: [Expected] = []

  /// The number of the name that stands at the place; nil when it has none.
  mutating func find(_ name: UnsafePointer<UInt8>, _ count: Int, at place: Int) -> Int? {
    if place < expected.count {
      let last = expected[place]
      if last.bytes.count == count, memcmp(last.bytes.baseAddress ?? name, name, count) == 0 {
        return last.number
      }
    }
    guard let known = numbers[Self.text(name, count)] else { return nil }
    while expected.count <= place { expected.append(known) }
    expected[place] = known
    return known.number
  }

  /// Numbers a new name.
  @discardableResult
  mutating func add(_ name: String) -> Int {
    let number = names.count
    names.append(name)
    numbers[name] = Expected(number: number, bytes: memory.keep(name))
    return number
  }

  /// Forgets the names numbered from `count` on.
  mutating func truncate(to count: Int) {
    guard count < names.count else { return }
    for name in names[count...] { numbers[name] = nil }
    names.removeSubrange(count...)
    expected.removeAll()
  }

  /// The number of a name; nil when it has none.
  func find(_ name: String) -> Int? { numbers[name]?.number }

  static func text(_ name: UnsafePointer<UInt8>, _ count: Int) -> String {
    String(decoding: UnsafeBufferPointer(start: name, count: count), as: UTF8.self)
  }
}

/// Holds the bytes of names where they are, as long as a table of them is there.
private final class NameMemory {
  private var kept: [UnsafeMutableBufferPointer<UInt8>] = []

  deinit { for bytes in kept { bytes.deallocate() } }

  func keep(_ name: String) -> UnsafeBufferPointer<UInt8> {
    let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: name.utf8.count)
    _ = bytes.initialize(fromContentsOf: name.utf8)
    kept.append(bytes)
    return UnsafeBufferPointer(bytes)
  }
}
