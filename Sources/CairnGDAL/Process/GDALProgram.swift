import CairnSystem

/// The program that reads and writes files with GDAL for programs that name no other.
package enum GDALProgram {
  /// The path of the command `cairn` in the folders of the PATH; nil if none has it.
  package static var path: String? {
    guard let folders = getenv("PATH") else { return nil }
    return String(cString: folders).split(separator: ":").map { "\($0)/cairn" }
      .first { access($0, X_OK) == 0 }
  }
}
