#if Server
import CairnSystem

/// The file with the token that allows changes.
enum WriteTokenFile {
  /// Why a file has no token.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private static let minLength = 16
  /// A longer file is not a file with a token.
  private static let maxFileLength = 1 << 16

  /// Whether the file can be read again, unlike a pipe.
  static func isLasting(_ path: String) -> Bool {
    var info = stat()
    return stat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFREG
  }

  /// Reads the token: the content of the file without the white space around it.
  static func token(_ path: String) throws -> String {
    let words = try content(path).split(whereSeparator: \.isWhitespace)
    guard words.count == 1, let token = words.first, token.utf8.count >= minLength,
      token.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else {
      throw Failure(
        description: """
          \(path): a token has \(minLength) or more ASCII characters without spaces; \
          'openssl rand -hex 32' prints one
          """)
    }
    return String(token)
  }

  private static func content(_ path: String) throws -> String {
    let file = openFile(path, flags: O_RDONLY | O_CLOEXEC)
    defer { if file >= 0 { close(file) } }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    var count = file < 0 ? -1 : 1
    while count > 0, bytes.count <= maxFileLength {
      count = read(file, &buffer, buffer.count)
      bytes += buffer.prefix(max(0, count))
    }
    guard count >= 0 else {
      throw Failure(description: "cannot read the token file \(path): \(errorText(errno))")
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
#endif
