import Foundation

/// A headless Chromium, if it is installed.
public enum Browser {
  /// The browser; nil if none is installed.
  private static let executable = Tool.find(
    "chromium", "chromium-browser", "google-chrome", "chrome")

  /// Whether a browser is installed.
  public static var isInstalled: Bool { executable != nil }

  /// The page after its scripts have run, and the errors that they logged.
  ///
  /// - Parameters:
  ///   - page: A file, or a page of a server on this machine.
  ///   - scratch: A folder for the files of the browser.
  /// - Throws: An error if the browser fails.
  public static func open(
    _ page: URL, in scratch: TemporaryFolder, width: Int = 960, height: Int = 640
  ) throws -> (page: String, complaints: [String]) {
    let process = Process()
    process.executableURL = executable
    process.arguments = [
      "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
      "--user-data-dir=\(scratch["profile"])", "--window-size=\(width),\(height)",
      "--virtual-time-budget=3000", "--enable-logging=stderr", "--log-level=0",
      // Without a network, a page that loads anything fails.
      "--proxy-server=127.0.0.1:9", "--dump-dom", page.absoluteString,
    ]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try FileHandle(forWritingTo: scratch.file("page", ""))
    process.standardError = try FileHandle(forWritingTo: scratch.file("log", ""))
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw CocoaError(.executableLoad)
    }
    let complaints = try scratch.text("log").split(separator: "\n")
      .filter { $0.contains("CONSOLE") && !$0.contains("willReadFrequently") }.map(String.init)
    return (try scratch.text("page"), complaints)
  }
}
