import CairnSystem

/// Converts text in one of the encodings of the system's library to UTF-8, piece by piece.
final class SystemConverter {
  #if canImport(Glibc)
  private let handle: iconv_t
  /// The bytes of an incomplete character.
  private var rest: [UInt8] = []

  /// Returns nil when the system does not support the encoding.
  init?(_ index: Int) {
    guard let handle = iconv_open("UTF-8", SystemEncodings.all[index].system),
      Int(bitPattern: handle) != -1
    else { return nil }
    self.handle = handle
  }

  deinit { iconv_close(handle) }

  /// Appends the decoded text of a piece.
  ///
  /// - Returns: The byte that is invalid here, or nil when the piece is valid.
  func convert(_ bytes: UnsafeRawBufferPointer, into output: inout [UInt8]) -> UInt8? {
    var input = rest.map(CChar.init(bitPattern:)) + bytes.map(CChar.init(bitPattern:))
    var piece = [CChar](repeating: 0, count: 1 << 16)
    var done = 0
    while done < input.count {
      let (result, read, written) = step(&input, start: done, piece: &piece)
      output.append(contentsOf: piece[..<written].lazy.map(UInt8.init(bitPattern:)))
      done += read
      guard result == -1, errno != E2BIG else { continue }
      guard errno == EINVAL else { return UInt8(bitPattern: input[done]) }
      break
    }
    rest = input[done...].map(UInt8.init(bitPattern:))
    return nil
  }

  private func step(
    _ input: inout [CChar], start: Int, piece: inout [CChar]
  ) -> (result: Int, read: Int, written: Int) {
    assert(start >= 0 && start <= input.count, "the text begins within the input")
    let count = input.count - start
    return input.withUnsafeMutableBufferPointer { input in
      piece.withUnsafeMutableBufferPointer { piece in
        var (from, left) = (input.baseAddress.map { $0 + start }, count)
        var (to, room) = (piece.baseAddress, piece.count)
        let result = iconv(handle, &from, &left, &to, &room)
        return (result, count - left, piece.count - room)
      }
    }
  }

  /// Whether the text ended after a complete character.
  var isWhole: Bool { rest.isEmpty }
  #else
  init?(_ index: Int) { return nil }

  func convert(_ bytes: UnsafeRawBufferPointer, into output: inout [UInt8]) -> UInt8? { nil }

  let isWhole = true
  #endif
}
