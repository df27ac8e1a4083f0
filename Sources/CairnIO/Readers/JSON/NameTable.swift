import CairnSystem

/// Numbers names from 0 and finds them again by their bytes. Members come in nearly the same order
/// in every Feature, so the position in the last Feature is a good first guess.
struct NameTable {
  /// The name at one position of the last Feature. Its bytes are read through a pointer, because an
  /// array would be retained and released on every access.
  private struct Expected {
    let number: Int
    /// The bytes of the name. Valid while the table exists.
    let bytes: UnsafeBufferPointer<UInt8>
  }

  private(set) var names: [String] = []
  private let memory = NameMemory()
  private var numbers: [String: Expected] = [:]
  private var expected: [Expected] = []

  /// Returns the number of the name at a position, or nil when the name is unknown.
  mutating func find(_ name: UnsafePointer<UInt8>, count: Int, at position: Int) -> Int? {
    assert(position >= 0 && count >= 0, "the name is outside of the record")
    if position < expected.count {
      let last = expected[position]
      if last.bytes.count == count, memcmp(last.bytes.baseAddress ?? name, name, count) == 0 {
        return last.number
      }
    }
    guard let known = numbers[Self.text(name, count: count)] else { return nil }
    while expected.count <= position { expected.append(known) }
    expected[position] = known
    return known.number
  }

  /// Adds a new name and returns its number.
  @discardableResult
  mutating func add(_ name: String) -> Int {
    let number = names.count
    names.append(name)
    numbers[name] = Expected(number: number, bytes: memory.keep(name))
    return number
  }

  /// Uses up a number that no name has.
  mutating func addNone() { names.append("") }

  /// Removes the names numbered from `count` on.
  mutating func truncate(to count: Int) {
    guard count < names.count else { return }
    for name in names[count...] { numbers[name] = nil }
    names.removeSubrange(count...)
    expected.removeAll()
  }

  /// Returns the number of a name, or nil when the name is unknown.
  func find(_ name: String) -> Int? { numbers[name]?.number }

  static func text(_ name: UnsafePointer<UInt8>, count: Int) -> String {
    String(decoding: UnsafeBufferPointer(start: name, count: count), as: UTF8.self)
  }
}

/// Keeps the bytes of names at fixed addresses for as long as a table of them exists.
private final class NameMemory {
  private var kept: [UnsafeMutableBufferPointer<UInt8>] = []

  deinit { for bytes in kept { bytes.deallocate() } }

  /// Copies the bytes of a name. Valid while the memory exists.
  func keep(_ name: String) -> UnsafeBufferPointer<UInt8> {
    let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: name.utf8.count)
    _ = bytes.initialize(fromContentsOf: name.utf8)
    kept.append(bytes)
    return UnsafeBufferPointer(bytes)
  }
}
