import CairnStorage

extension Selection {
  /// Keeps the selected rows whose code is marked 1 in the table.
  mutating func keep(
    _ chunk: Chunk, markedIn table: UnsafePointer<UInt8>, _ nulls: NullRule, _ workspace: Workspace
  ) {
    let bytes = workspace.bytes
    switch chunk.width {
    case 0:
      let all: UInt64 = table[0] != 0 ? ~0 : 0
      keep(nulls) { _, _ in all }
    case 1: keep(chunk.codes.assumingMemoryBound(to: UInt8.self), table, nulls, bytes)
    case 2: keep(chunk.codes.assumingMemoryBound(to: UInt16.self), table, nulls, bytes)
    default: keep(chunk.codes.assumingMemoryBound(to: UInt32.self), table, nulls, bytes)
    }
  }

  @inline(__always)
  private mutating func keep<Code: FixedWidthInteger & UnsignedInteger>(
    _ codes: UnsafePointer<Code>, _ table: UnsafePointer<UInt8>,
    _ nulls: NullRule, _ bytes: UnsafeMutablePointer<UInt8>
  ) {
    keep(nulls) { word, selected in
      let rows = codes + word << 6
      if selected.isSparse { return selected.keepingEach { table[Int(rows[$0])] != 0 } }
      for row in 0..<64 { bytes[row] = table[Int(rows[row])] }
      return packed(bytes)
    }
  }
}
