#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The memory of the process.
public enum Memory {
  /// The bytes of memory of its own that the process has, without the pages of files; nil where the system does not say.
  public static var own: Int? {
    #if os(Linux)
    guard let file = fopen("/proc/self/status", "r") else { return nil }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, Int32(line.count), file) != nil {
      let text = String(
        decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      guard text.hasPrefix("RssAnon:") else { continue }
      return Int(text.filter(\.isNumber)).map { $0 * 1024 }
    }
    #endif
    return nil
  }
}
