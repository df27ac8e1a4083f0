import CairnTestSupport
import Foundation

/// A receiver of hooks with a certificate of its own, which takes every batch. The program `openssl`
/// runs it.
final class EncryptedReceiver: @unchecked Sendable {
  // Sendable: `received` has a lock, and the rest does not change.

  /// The file with the certificate, which signs itself.
  let certificate: String
  /// The port, on which `openssl` listens.
  private let reserved: ReservedPort
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private let received = Locked("")

  var port: UInt16 { reserved.number }

  var url: String { "https://127.0.0.1:\(port)/" }

  /// The bytes that the clients have sent.
  var text: String { received.value }

  /// Makes a certificate, and starts a receiver.
  ///
  /// - Parameters:
  ///   - name: The name in the certificate, such as `IP:127.0.0.1`.
  ///   - file: The name of the files in the folder.
  init(named name: String, in scratch: TemporaryFolder, _ file: String) throws {
    certificate = scratch[file + ".pem"]
    let key = scratch[file + ".key"]
    let made = try Command.shell(
      """
      openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=receiver \
      -addext 'subjectAltName=\(name)' -keyout '\(key)' -out '\(certificate)'
      """)
    guard made.code == 0 else { throw HookReceiver.Failure(description: made.errors) }
    reserved = try ReservedPort()
    let port = reserved.number
    process.executableURL = Tool.find("openssl")
    process.arguments = [
      "s_server", "-accept", "127.0.0.1:\(port)", "-cert", certificate, "-key", key, "-quiet",
    ]
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let (received, answer) = (received, input.fileHandleForWriting)
    output.fileHandleForReading.readabilityHandler = { handle in
      let data = handle.availableData
      guard !data.isEmpty else { return handle.readabilityHandler = nil }
      let isWhole = received.withLock { text in
        text += String(decoding: data, as: UTF8.self)
        return text.hasSuffix("]}\n")
      }
      if isWhole { try? answer.write(contentsOf: Data("HTTP/1.1 204 Taken\r\n\r\n".utf8)) }
    }
    try eventually("openssl listens") { Self.isListening(port) }
  }

  /// Ends the receiver.
  func stop() {
    // Threads of tests block most signals, and their processes inherit that.
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  private static func isListening(_ port: UInt16) -> Bool {
    let probe = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(probe) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(probe, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }
}
