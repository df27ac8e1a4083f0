/// One handle of GEOS with the last error it reported; used by one thread at a time.
final class GEOSContext {
  let library: GEOSLibrary
  let handle: GEOSLibrary.Context
  private let report = ErrorReport()

  init() throws(GeometryError) {
    library = try GEOSLibrary.shared()
    guard let handle = library.initialise() else {
      throw GeometryError(.library, "GEOS could not be started.")
    }
    self.handle = handle
    let target = Unmanaged.passUnretained(report).toOpaque()
    _ = library.setErrorHandler(handle, keepMessage, target)
  }

  deinit { library.finish(handle) }

  /// The error that belongs to the call that has just failed.
  func failure(_ what: String) -> GeometryError {
    GeometryError(.library, "GEOS could not \(what): \(report.take()).")
  }
}

/// Where GEOS leaves the words of an error.
final class ErrorReport {
  private var message = ""

  func keep(_ text: String) { message = text }

  func take() -> String {
    defer { message = "" }
    return message.isEmpty ? "it gave no reason" : message
  }
}

private func keepMessage(_ text: UnsafePointer<CChar>?, _ target: UnsafeMutableRawPointer?) {
  guard let text, let target else { return }
  Unmanaged<ErrorReport>.fromOpaque(target).takeUnretainedValue().keep(String(cString: text))
}
