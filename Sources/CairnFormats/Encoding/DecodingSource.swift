/// The text of another source, brought to UTF-8.
final class DecodingSource: ByteSource {
  private static let pieceSize = 1 << 18

  private let source: any ByteSource
  private let name: String
  private var decoder: TextDecoder
  private let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceSize, alignment: 16)
  private var decoded: [UInt8] = []
  private var given = 0
  private var hasEnded = false

  init(_ source: any ByteSource, _ encoding: TextEncoding, name: String) throws(ImportError) {
    guard let decoder = TextDecoder(encoding) else {
      throw ImportError(.library, "this system cannot read \(encoding.name): make it UTF-8 first")
    }
    self.source = source
    self.name = name
    self.decoder = decoder
  }

  deinit { piece.deallocate() }

  func read(into target: UnsafeMutableRawPointer, count: Int) throws(ImportError) -> Int {
    while given == decoded.count, !hasEnded { try refill() }
    let part = min(count, decoded.count - given)
    decoded.withUnsafeBytes { bytes in
      if let base = bytes.baseAddress, part > 0 {
        target.copyMemory(from: base + given, byteCount: part)
      }
    }
    given += part
    return part
  }

  private func refill() throws(ImportError) {
    decoded.removeAll(keepingCapacity: true)
    given = 0
    guard let base = piece.baseAddress else { return }
    let count = try source.read(into: base, count: piece.count)
    do throws(DecodingFailure) {
      if count == 0 {
        hasEnded = true
        try decoder.finish()
      } else {
        try decoder.decode(UnsafeRawBufferPointer(rebasing: piece[..<count]), into: &decoded)
      }
    } catch {
      throw ImportError(.data, "\(name):\(error.line): \(error.what)")
    }
  }
}
