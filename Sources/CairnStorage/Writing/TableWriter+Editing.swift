extension TableWriter {
  /// The chunk, ready to be edited: its rows are copied out of the map the first time.
  func edit(_ position: Int, _ chunk: Int) -> ChunkBuffer {
    if let buffer = overlay.buffer(position, chunk) {
      overlay.remember(buffer, position, chunk)
      return buffer
    }
    let column = schema.columns[position]
    let buffer: ChunkBuffer
    if chunk < table.storedChunkCount, let derived = overlay.derived[position] {
      buffer = derived.made(chunk)
    } else if let stored = table.column(position).stored(chunk) {
      buffer = ChunkBuffer(layout: column.layout, copying: stored)
    } else {
      let rows = max(0, min(ChunkShape.rows, table.state.endKey - chunk * ChunkShape.rows))
      buffer = .absent(column, rows: rows)
    }
    overlay.adopt(buffer, position, chunk)
    return buffer
  }

  /// Fills the last chunk up with dead rows, so that the next row begins a chunk.
  func sealTail() throws(StoreError) {
    let end = overlay.endKey
    guard end & (ChunkShape.rows - 1) != 0 else { return }
    let chunk = end >> ChunkShape.shift
    _ = editLiveness(of: end - 1)
    for column in schema.columns {
      edit(column.position, chunk).blank(upTo: ChunkShape.rows, column)
    }
    overlay.endKey = (chunk + 1) * ChunkShape.rows
  }

  func editLiveness(of key: Int) -> BitmapWords {
    let chunk = key >> ChunkShape.shift
    if let words = overlay.liveness[chunk] { return words }
    let words: BitmapWords
    if let stored = table.liveness(ofChunk: chunk) {
      words = BitmapWords(copying: stored)
    } else {
      words = BitmapWords(copying: nil)
      for row in 0..<table.rowCount(ofChunk: chunk) { words.mark(row) }
    }
    overlay.liveness[chunk] = words
    return words
  }

  /// A new row lives without a mark, unless its chunk already tells rows apart.
  func editLiveness(ofNew key: Int) {
    let chunk = key >> ChunkShape.shift
    if overlay.liveness[chunk] == nil {
      guard chunk < table.storedChunkCount, table.liveness(ofChunk: chunk) != nil else { return }
    }
    editLiveness(of: key).mark(key & (ChunkShape.rows - 1))
  }
}
