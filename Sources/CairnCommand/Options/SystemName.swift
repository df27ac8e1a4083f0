/// The coordinate system of `--crs`.
enum SystemName {
  /// What PROJ looks up: the text itself, or for a bare number such as 2056 the code `EPSG:2056`.
  static func definition(_ text: String) -> String {
    let text = text.trimmingSpaces()
    let isNumber = !text.isEmpty && text.utf8.allSatisfy { (48...57).contains($0) }
    return isNumber ? "EPSG:\(text)" : String(text)
  }
}
