import CairnSystem

/// A shared library that is opened at run time and stays open for the life of the process.
package struct DynamicLibrary {
  private let handle: UnsafeMutableRawPointer
  private let name: String

  /// Opens the first of `files` that exists.
  ///
  /// - Throws: an error with `advice`, which says what to install, if none exists.
  package init(name: String, files: [String], advice: String) throws(GeometryError) {
    for file in files {
      if let handle = dlopen(file, RTLD_NOW | RTLD_LOCAL) {
        self.handle = handle
        self.name = name
        return
      }
    }
    throw GeometryError(.missingLibrary, message: "the library \(name) is not installed: \(advice)")
  }

  /// The function of that name. Throws if the library is too old to have it.
  package func function<Function>(_ symbol: String) throws(GeometryError) -> Function {
    guard let address = dlsym(handle, symbol) else {
      throw GeometryError(
        .missingLibrary, message: "the library \(name) is too old: it has no function \(symbol)")
    }
    return unsafeBitCast(address, to: Function.self)
  }

  /// libgeos, from Debian's libgeos-c1v5 (libgeos-c1t64 in later releases) or Homebrew's geos.
  static func geos() throws(GeometryError) -> DynamicLibrary {
    try DynamicLibrary(
      name: "GEOS",
      files: [
        "libgeos_c.so.1", "libgeos_c.so", "libgeos_c.1.dylib",
        "/opt/homebrew/lib/libgeos_c.1.dylib", "/usr/local/lib/libgeos_c.1.dylib",
      ],
      advice: "apt install libgeos-c1v5, or brew install geos")
  }

  /// libproj, from Debian's libproj25 or Homebrew's proj.
  static func proj() throws(GeometryError) -> DynamicLibrary {
    try DynamicLibrary(
      name: "PROJ",
      files: [
        "libproj.so.25", "libproj.so.22", "libproj.so", "libproj.25.dylib", "libproj.dylib",
        "/opt/homebrew/lib/libproj.dylib", "/usr/local/lib/libproj.dylib",
      ],
      advice: "apt install libproj25, or brew install proj")
  }
}
