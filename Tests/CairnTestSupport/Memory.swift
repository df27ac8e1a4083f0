import Foundation

/// The memory use of the process.
public enum Memory {
  /// The anonymous memory of the process in bytes, without file pages, or nil if the system does
  /// not report it.
  public static var anonymousBytes: Int? { value(of: "RssAnon") }

  /// The largest memory use of the process so far in bytes, or nil if the system does not report
  /// it.
  public static var peakBytes: Int? { value(of: "VmHWM") }

  /// Returns a value of Linux's `/proc/self/status`, which is in kilobytes.
  private static func value(of name: String) -> Int? {
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
      let line = status.split(separator: "\n").first(where: { $0.hasPrefix(name + ":") }),
      let size = line.split(whereSeparator: \.isWhitespace).dropFirst().first
    else { return nil }
    return Int(size).map { $0 << 10 }
  }
}
