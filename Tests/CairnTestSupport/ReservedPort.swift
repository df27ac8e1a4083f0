import Foundation

/// A port of this machine on which nobody listens yet, and which the system gives to nobody who asks for
/// any port.
///
/// A socket that does not listen keeps it. A program that names the port can listen there all the same. Keep
/// the object alive as long as the port is needed.
public final class ReservedPort: Sendable {
  /// The number of the port.
  public let number: UInt16
  private let descriptor: Int32

  /// Reserves a port.
  public init() throws { (descriptor, number) = try Self.socket(port: 0) }

  deinit { close(descriptor) }

  /// Returns a socket that is bound to a port of the loopback address; the system chooses the port for 0.
  static func socket(port: UInt16) throws -> (descriptor: Int32, port: UInt16) {
    #if canImport(Darwin)
    let descriptor = Foundation.socket(AF_INET, SOCK_STREAM, 0)
    #else
    let descriptor = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #endif
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    var isOn: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isOn, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(descriptor, address, size) == 0 && getsockname(descriptor, address, &size) == 0
      }
    }
    guard isBound else {
      let code = errno
      close(descriptor)
      throw HookReceiver.Failure(description: "bind: \(code)")
    }
    return (descriptor, UInt16(bigEndian: address.sin_port))
  }
}
