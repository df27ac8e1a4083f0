#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Encodings of several bytes to a character, which the system's library brings to UTF-8.
enum SystemEncodings {
  /// As users call them, and as the library does: supersets, in which a backslash is one.
  static let all: [(name: String, system: String)] = [
    ("shift-jis", "CP932"), ("euc-jp", "EUC-JP"), ("gbk", "CP936"), ("gb18030", "GB18030"),
    ("big5", "BIG5-HKSCS"), ("euc-kr", "UHC"),
  ]
}

/// Brings text of one of them to UTF-8, piece by piece.
final class SystemConverter {
  #if canImport(Glibc)
  private let handle: iconv_t
  /// Bytes of a character that has not come whole.
  private var rest: [UInt8] = []

  /// Nil when the system does not know the encoding.
  init?(_ place: Int) {
    guard let handle = iconv_open("UTF-8", SystemEncodings.all[place].system),
      Int(bitPattern: handle) != -1
    else { return nil }
    self.handle = handle
  }

  deinit { iconv_close(handle) }

  /// Appends what a piece of text spells.
  ///
  /// - Returns: the byte that means nothing here, or nil when there is none.
  func convert(_ bytes: UnsafeRawBufferPointer, into output: inout [UInt8]) -> UInt8? {
    var input = rest.map(CChar.init(bitPattern:)) + bytes.map(CChar.init(bitPattern:))
    var piece = [CChar](repeating: 0, count: 1 << 16)
    var done = 0
    while done < input.count {
      let (result, read, written) = step(&input, done, &piece)
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
    _ input: inout [CChar], _ start: Int, _ piece: inout [CChar]
  ) -> (result: Int, read: Int, written: Int) {
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

  /// Whether the text ended behind a whole character.
  var isWhole: Bool { rest.isEmpty }
  #else
  init?(_ place: Int) { return nil }

  func convert(_ bytes: UnsafeRawBufferPointer, into output: inout [UInt8]) -> UInt8? { nil }

  let isWhole = true
  #endif
}
