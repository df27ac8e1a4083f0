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
  private(set) var names: [String] = []
  /// The bytes of all names, one behind the other, and where each begins.
  private var pool: [UInt8] = []
  private var starts = [0]
  private var numbers: [String: Int] = [:]
  /// What stood at each place of the last Feature.
  private var expected: [Int] = []

  /// The number of the name that stands at the place; nil when it has none.
  mutating func find(_ name: UnsafePointer<UInt8>, _ count: Int, at place: Int) -> Int? {
    if place < expected.count, matches(expected[place], name, count) { return expected[place] }
    guard let number = numbers[Self.text(name, count)] else { return nil }
    while expected.count <= place { expected.append(number) }
    expected[place] = number
    return number
  }

  @inline(__always)
  private func matches(_ number: Int, _ name: UnsafePointer<UInt8>, _ count: Int) -> Bool {
    starts[number + 1] - starts[number] == count
      && pool.withUnsafeBufferPointer {
        memcmp(($0.baseAddress ?? name) + starts[number], name, count) == 0
      }
  }

  /// Numbers a new name.
  @discardableResult
  mutating func add(_ name: String) -> Int {
    let number = names.count
    names.append(name)
    pool.append(contentsOf: name.utf8)
    starts.append(pool.count)
    numbers[name] = number
    return number
  }

  /// Forgets the names numbered from `count` on.
  mutating func truncate(to count: Int) {
    guard count < names.count else { return }
    for name in names[count...] { numbers[name] = nil }
    names.removeSubrange(count...)
    starts.removeSubrange((count + 1)...)
    pool.removeSubrange(starts[count]...)
    expected.removeAll()
  }

  /// The number of a name; nil when it has none.
  func find(_ name: String) -> Int? { numbers[name] }

  static func text(_ name: UnsafePointer<UInt8>, _ count: Int) -> String {
    String(decoding: UnsafeBufferPointer(start: name, count: count), as: UTF8.self)
  }
}
