internal import CairnGeometry
internal import CairnParquet

/// Converts well-known text to well-known binary. Keeps its memory for the next geometry.
struct WKTConverter {
  private var builder = GeometryBuilder()
  private var packed: [UInt8] = []
  private var wkb: [UInt8] = []

  /// Appends the geometry of a text; one that is malformed is appended as it is, so that the reader of
  /// the geometry refuses it.
  mutating func append(_ text: UnsafeRawBufferPointer, to heap: ColumnMemory) {
    builder.reset()
    do throws(GeometryError) {
      _ = try builder.appendWKT(text.assumingMemoryBound(to: UInt8.self))
    } catch {
      return heap.append(bytes: text)
    }
    packed.removeAll(keepingCapacity: true)
    wkb.removeAll(keepingCapacity: true)
    builder.encode(into: &packed)
    packed.withUnsafeBytes { GeometryView($0).appendWKB(to: &wkb) }
    wkb.withUnsafeBytes { heap.append(bytes: $0) }
  }
}
