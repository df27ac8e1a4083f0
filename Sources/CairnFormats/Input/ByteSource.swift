#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Bytes that come one after the other, once.
protocol ByteSource: AnyObject {
  /// Up to `count` bytes; 0 only when all have come.
  func read(into target: UnsafeMutableRawPointer, count: Int) throws(ImportError) -> Int
}

/// The bytes of an open file or pipe.
final class DescriptorSource: ByteSource {
  private let descriptor: Int32
  private let name: String
  private(set) var bytesRead: Int64 = 0

  init(_ descriptor: Int32, name: String) {
    self.descriptor = descriptor
    self.name = name
  }

  func read(into target: UnsafeMutableRawPointer, count: Int) throws(ImportError) -> Int {
    while true {
      let got = readOnce(descriptor, target, count)
      if got >= 0 {
        bytesRead += Int64(got)
        return got
      }
      guard errno == EINTR else {
        throw ImportError(.io, "\(name): reading failed: \(String(cString: strerror(errno)))")
      }
    }
  }
}

/// Apart from the class, whose own `read` would hide the system's.
private func readOnce(_ descriptor: Int32, _ target: UnsafeMutableRawPointer, _ count: Int) -> Int {
  read(descriptor, target, count)
}

/// A source whose first bytes can be looked at beforehand.
final class PeekedSource: ByteSource {
  private let source: any ByteSource
  /// The first bytes, as many as were asked for unless the source is shorter.
  let head: [UInt8]
  private var given = 0

  init(_ source: any ByteSource, count: Int) throws(ImportError) {
    self.source = source
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
    defer { buffer.deallocate() }
    var filled = 0
    while filled < count, let base = buffer.baseAddress {
      let got = try source.read(into: base + filled, count: count - filled)
      if got == 0 { break }
      filled += got
    }
    head = Array(buffer.prefix(filled))
  }

  /// Passes over bytes of the head.
  func skip(_ count: Int) { given = min(head.count, given + count) }

  func read(into target: UnsafeMutableRawPointer, count: Int) throws(ImportError) -> Int {
    guard given < head.count else { return try source.read(into: target, count: count) }
    let part = min(count, head.count - given)
    head.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      target.copyMemory(from: base + given, byteCount: part)
    }
    given += part
    return part
  }
}
