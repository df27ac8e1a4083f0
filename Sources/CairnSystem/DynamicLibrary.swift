/// A shared library that is opened at run time and stays open for the life of the process.
package struct DynamicLibrary {
  private let handle: UnsafeMutableRawPointer
  private let name: String

  /// Opens the first of `files` that exists.
  ///
  /// - Throws: ``LibraryError`` with `advice`, which says what to install, if none exists.
  package init(name: String, files: [String], advice: String) throws(LibraryError) {
    for file in files {
      if let handle = dlopen(file, RTLD_NOW | RTLD_LOCAL) {
        self.handle = handle
        self.name = name
        return
      }
    }
    throw LibraryError(message: "the library \(name) is not installed: \(advice)")
  }

  /// The function of that name.
  ///
  /// - Throws: ``LibraryError`` if the library is too old to have it.
  package func function<Function>(_ symbol: String) throws(LibraryError) -> Function {
    guard let address = dlsym(handle, symbol) else {
      throw LibraryError(
        message: "the library \(name) is too old: it has no function \(symbol)")
    }
    return unsafeBitCast(address, to: Function.self)
  }
}

/// The absence of a library, or of one of its functions.
package struct LibraryError: Error {
  /// The message, with the remedy.
  package let message: String

  /// Creates an error.
  package init(message: String) { self.message = message }
}
