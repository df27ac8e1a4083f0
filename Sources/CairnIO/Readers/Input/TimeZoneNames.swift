import CairnSystem
package import CairnValues

/// Finds time zones by their names in the system's database, and by their offset from UTC.
package enum TimeZoneNames {
  private static let advice: ImportMessage =
    "expected a name such as Europe/Zurich, or an offset from UTC such as +02:00"
  private static let folders = ["/usr/share/zoneinfo", "/usr/lib/zoneinfo", "/etc/zoneinfo"]

  /// Returns the rules of a zone.
  ///
  /// - Throws: `.usage` if the database is missing or does not have the name.
  package static func rules(of text: String) throws(ImportError) -> TimeZoneRules {
    if let fixed = TimeZoneRules(offset: text) { return fixed }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    let isName = parts.allSatisfy { part in
      part.first.map { $0.isLetter } ?? false
        && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-_".contains($0)) }
    }
    guard isName else {
      throw ImportError(.usage, message: "'\(text)' is not a time zone: \(advice)")
    }
    let own = getenv("TZDIR").map { [String(cString: $0)] } ?? []
    guard let folder = (own + folders).first(where: { access($0, F_OK) == 0 }) else {
      throw ImportError(
        .usage,
        message: "this system has no time zone database in \(folders[0]); "
          + "use an offset such as +02:00")
    }
    guard let rules = bytes("\(folder)/\(text)").flatMap(TimeZoneRules.init(database:)) else {
      throw ImportError(.usage, message: "'\(text)' is not a time zone of \(folder): \(advice)")
    }
    return rules
  }

  /// The largest file that can be a zone; those of the database have some kilobytes.
  private static let maxSize = 1 << 20

  private static func bytes(_ path: String) -> [UInt8]? {
    guard let file = try? InputFile(path: path, encoding: .utf8, spoolDirectory: nil),
      file.size <= maxSize
    else { return nil }
    var bytes = [UInt8](repeating: 0, count: Int(file.size))
    let count = bytes.withUnsafeMutableBytes { buffer in
      buffer.baseAddress.flatMap { try? file.read(into: $0, count: buffer.count, at: 0) }
    }
    return count == bytes.count ? bytes : nil
  }
}
