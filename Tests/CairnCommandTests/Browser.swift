import Foundation
import Testing

/// A headless Chromium, where the machine has one.
enum Browser {
  /// nil: none is installed.
  static let executable: URL? = {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin"
    let names = ["chromium", "chromium-browser", "google-chrome", "chrome"]
    let found = path.split(separator: ":").flatMap { folder in names.map { "\(folder)/\($0)" } }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
    if found == nil {
      print("NOT LOOKED AT: no Chromium on this machine, so nobody has seen the pictures.")
    }
    return found.map { URL(fileURLWithPath: $0) }
  }()

  static var isThere: Bool { executable != nil }

  /// The page as it is once its scripts have run, and what they complained about.
  static func open(
    _ file: URL, in scratch: Scratch, width: Int = 960, height: Int = 640
  ) throws -> (page: String, complaints: [String]) {
    let process = Process()
    process.executableURL = executable
    process.arguments = [
      "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
      "--user-data-dir=\(scratch["profile"])", "--window-size=\(width),\(height)",
      "--virtual-time-budget=3000", "--enable-logging=stderr", "--log-level=0",
      // Nothing is there to be reached, and nothing should be asked for.
      "--proxy-server=127.0.0.1:9", "--dump-dom", file.absoluteString,
    ]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try FileHandle(forWritingTo: scratch.file("page", ""))
    process.standardError = try FileHandle(forWritingTo: scratch.file("log", ""))
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    let complaints = try scratch.text("log").split(separator: "\n")
      .filter { $0.contains("CONSOLE") && !$0.contains("willReadFrequently") }.map(String.init)
    return (try scratch.text("page"), complaints)
  }
}
