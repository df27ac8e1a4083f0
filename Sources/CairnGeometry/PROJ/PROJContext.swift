/// One PROJ context: for one thread, silent, and without the network.
final class PROJContext {
  let library: PROJLibrary
  let handle: OpaquePointer
  /// What PROJ said last, instead of writing it to standard error.
  private let log = Log()

  private final class Log {
    var text = ""
  }

  init() throws(GeometryError) {
    library = try PROJLibrary.shared()
    guard let made = library.createContext() else {
      throw GeometryError(.coordinateSystem, "PROJ could not start.")
    }
    handle = made
    _ = library.enableNetwork(handle, 0)
    library.setLogFunction(handle, Unmanaged.passUnretained(log).toOpaque()) { data, _, text in
      guard let data, let text else { return }
      Unmanaged<Log>.fromOpaque(data).takeUnretainedValue().text = String(cString: text)
    }
  }

  deinit { _ = library.destroyContext(handle) }

  /// What PROJ has to say about its last refusal.
  var reason: String { log.text.isEmpty ? "PROJ gives no reason" : log.text }
}

/// An object of PROJ, destroyed with its last user.
final class PROJObject {
  let context: PROJContext
  let handle: OpaquePointer

  /// Nil where PROJ gave none.
  init?(_ handle: OpaquePointer?, in context: PROJContext) {
    guard let handle else { return nil }
    self.handle = handle
    self.context = context
  }

  deinit { _ = context.library.destroy(handle) }

  var name: String {
    context.library.name(handle).map { String(cString: $0) } ?? "unnamed"
  }
}
