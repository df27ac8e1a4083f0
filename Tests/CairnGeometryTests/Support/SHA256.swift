/// SHA-256 (FIPS 180-4), with which the files of answers shorten long lists.
enum SHA256 {
  /// The digest of a text in hexadecimal digits.
  static func hex(_ text: String) -> String {
    var message = Array(text.utf8)
    let bits = UInt64(message.count) * 8
    message.append(0x80)
    while message.count % 64 != 56 { message.append(0) }
    message += (0..<8).map { UInt8(truncatingIfNeeded: bits >> UInt64(56 - 8 * $0)) }
    var state = roots(primes.prefix(8), power: 1.0 / 2)
    let constants = roots(primes[...], power: 1.0 / 3)
    for start in stride(from: 0, to: message.count, by: 64) {
      digest(message[start..<start + 64], constants, &state)
    }
    return state.map { word in
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 8 - digits.count) + digits
    }.joined()
  }

  private static let primes: [Int] = {
    var primes: [Int] = []
    var next = 2
    while primes.count < 64 {
      if primes.allSatisfy({ next % $0 != 0 }) { primes.append(next) }
      next += 1
    }
    return primes
  }()

  /// The first 32 bits of the fractions of roots, found by bisection in whole numbers.
  private static func roots(_ numbers: ArraySlice<Int>, power: Double) -> [UInt32] {
    let degree = power == 0.5 ? 2 : 3
    return numbers.map { number in
      var (low, high) = (UInt64(0), UInt64(32) << 32)
      while high - low > 1 {
        let middle = (low + high) / 2
        if isBelow(middle, number, degree: degree) { low = middle } else { high = middle }
      }
      return UInt32(truncatingIfNeeded: low)
    }
  }

  /// Whether a root in units of 2^-32, raised to a power, is at most a number.
  private static func isBelow(_ root: UInt64, _ number: Int, degree: Int) -> Bool {
    let square = root.multipliedFullWidth(by: root)
    guard degree == 3 else {
      return square.high < UInt64(number) || (square.high == UInt64(number) && square.low == 0)
    }
    // (high · 2^64 + low) · root <= number · 2^96
    let low = square.low.multipliedFullWidth(by: root)
    let high = square.high * root + low.high
    return high >> 32 < UInt64(number)
  }

  private static func digest(
    _ block: ArraySlice<UInt8>, _ constants: [UInt32], _ state: inout [UInt32]
  ) {
    func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 { word >> count | word << (32 - count) }
    let bytes = Array(block)
    var words = (0..<16).map { index in
      (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(bytes[index * 4 + $1]) }
    }
    for index in 16..<64 {
      let (old, new) = (words[index - 15], words[index - 2])
      let one = rotated(old, 7) ^ rotated(old, 18) ^ old >> 3
      let two = rotated(new, 17) ^ rotated(new, 19) ^ new >> 10
      words.append(words[index - 16] &+ one &+ words[index - 7] &+ two)
    }
    var mixed = state
    for index in 0..<64 {
      let (a, e) = (mixed[0], mixed[4])
      let choice = (e & mixed[5]) ^ (~e & mixed[6])
      let one = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
      let sum = mixed[7] &+ one &+ choice &+ constants[index] &+ words[index]
      let majority = (a & mixed[1]) ^ (a & mixed[2]) ^ (mixed[1] & mixed[2])
      let other = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) &+ majority
      mixed = [sum &+ other, a, mixed[1], mixed[2], mixed[3] &+ sum, e, mixed[5], mixed[6]]
    }
    state = zip(state, mixed).map { $0 &+ $1 }
  }
}
