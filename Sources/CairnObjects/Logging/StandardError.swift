#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

enum StandardError {
  /// Writes a text in one call, so that lines of several threads do not mix.
  static func write(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      // Nobody is left to be told of a failure.
      if let start = bytes.baseAddress { _ = unistdWrite(start, bytes.count) }
    }
  }
}

private func unistdWrite(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int {
  write(STDERR_FILENO, start, count)
}
