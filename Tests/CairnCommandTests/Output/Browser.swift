import CairnTestSupport
import Foundation
import Testing

/// A headless Chromium, if it is installed.
enum Browser {
  /// The path of the browser; nil if none is installed.
  static let executable = Tool.find(
    "chromium", "chromium-browser", "google-chrome", "chrome")

  static var isInstalled: Bool { executable != nil }

  /// The page after its scripts have run, and the errors that they logged.
  static func open(
    _ file: URL, in scratch: TemporaryFolder, width: Int = 960, height: Int = 640
  ) throws -> (page: String, complaints: [String]) {
    let process = Process()
    process.executableURL = executable
    process.arguments = [
      "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
      "--user-data-dir=\(scratch["profile"])", "--window-size=\(width),\(height)",
      "--virtual-time-budget=3000", "--enable-logging=stderr", "--log-level=0",
      // Without a network, a page that loads anything fails.
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
