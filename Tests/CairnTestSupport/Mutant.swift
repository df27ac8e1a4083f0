/// A copy of a file with random damage.
public struct Mutant {
  /// The damaged file.
  public private(set) var bytes: [UInt8]
  /// A description of the damage.
  public private(set) var description = ""

  private static let page = 4096

  /// - Parameter other: a file of the same kind, the source of foreign pages.
  public init(of whole: [UInt8], other: [UInt8] = [], _ random: inout SplitMix64) {
    bytes = whole
    switch Int.random(in: 0..<(other.isEmpty ? 12 : 13), using: &random) {
    case 0...2: flip(place(&random))
    case 3...5: flip(pageStart(&random) + Int.random(in: 0..<64, using: &random))
    case 6...7: changeHeader(&random)
    case 8: swapPages(&random)
    case 9: clear(&random)
    case 10: copyBytes(&random)
    case 11: truncate(&random)
    default: takePage(of: other, &random)
    }
  }

  private func place(_ random: inout SplitMix64) -> Int {
    Int.random(in: 0..<bytes.count, using: &random)
  }

  private func pageStart(_ random: inout SplitMix64) -> Int { place(&random) & ~(Self.page - 1) }

  private mutating func flip(_ place: Int) {
    bytes[place] ^= 1 << UInt8(place % 8)
    description = "a flipped bit at \(place)"
  }

  private mutating func changeHeader(_ random: inout SplitMix64) {
    let place = Bool.random(using: &random) ? Self.page : 0
    let offset = Int.random(in: 0..<152, using: &random)
    bytes[place + offset] = UInt8.random(in: 0...255, using: &random)
    description = "byte \(place + offset) of the header pages"
  }

  private mutating func swapPages(_ random: inout SplitMix64) {
    let (a, b) = (pageStart(&random), pageStart(&random))
    for offset in 0..<Self.page where max(a, b) + offset < bytes.count {
      bytes.swapAt(a + offset, b + offset)
    }
    description = "pages at \(a) and \(b) swapped"
  }

  /// Overwrites a whole page or a part of the file with zeros.
  private mutating func clear(_ random: inout SplitMix64) {
    let isPage = Bool.random(using: &random)
    let start = isPage ? pageStart(&random) : place(&random)
    let count = isPage ? Self.page : Int.random(in: 1...9000, using: &random)
    let end = min(bytes.count, start + count)
    for index in start..<end { bytes[index] = 0 }
    description = "zeros from \(start) to \(end)"
  }

  private mutating func copyBytes(_ random: inout SplitMix64) {
    let (from, to) = (place(&random), place(&random))
    for offset in 0..<min(700, bytes.count - max(from, to)) {
      bytes[to + offset] = bytes[from + offset]
    }
    description = "bytes from \(from) to \(to)"
  }

  private mutating func truncate(_ random: inout SplitMix64) {
    let length = place(&random) | 1
    bytes.removeLast(max(0, bytes.count - length))
    description = "cut at \(length)"
  }

  private mutating func takePage(of other: [UInt8], _ random: inout SplitMix64) {
    let to = pageStart(&random)
    let from = Int.random(in: 0..<other.count, using: &random) & ~(Self.page - 1)
    for offset in 0..<Self.page
    where max(from + offset - other.count, to + offset - bytes.count) < 0 {
      bytes[to + offset] = other[from + offset]
    }
    description = "page at \(to) replaced by the page at \(from) of another file"
  }
}
