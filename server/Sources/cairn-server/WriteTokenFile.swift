import Foundation

/// The file with the token that allows changes.
enum WriteTokenFile {
  /// Why a file has no token.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private static let minLength = 16

  /// Whether the file can be read again, unlike a pipe.
  static func isLasting(_ path: String) -> Bool {
    let resolved = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    let attributes = try? FileManager.default.attributesOfItem(atPath: resolved)
    return attributes?[.type] as? FileAttributeType == .typeRegular
  }

  /// Reads the token: the content of the file without the white space around it.
  static func token(_ path: String) throws -> String {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw Failure(description: "cannot read the token file \(path)")
    }
    let token = String(decoding: data, as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
    guard token.utf8.count >= minLength, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else {
      throw Failure(
        description: """
          \(path): a token has \(minLength) or more ASCII characters without spaces; \
          'openssl rand -hex 32' prints one
          """)
    }
    return token
  }
}
