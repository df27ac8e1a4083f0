internal import CairnIO
import CairnSystem

/// The parts of a file or of a stream: its columns, and the places of its batches.
struct ArrowContainer: Sendable {
  /// The place of a batch of rows or of a dictionary.
  struct Place: Sendable {
    /// The offset and the number of bytes of the description, those before it included.
    let offset: Int64
    let headSize: Int
    /// The offset of the values.
    var body: Int64 { offset + Int64(headSize) }
  }

  /// Rows.
  struct Batch: Sendable {
    let place: Place
    let firstRow: Int
    let rowCount: Int
    /// The number of dictionaries that come before it.
    let dictionaryCount: Int
  }

  /// Values of a dictionary, which replace those before or follow them.
  struct Dictionary: Sendable {
    let place: Place
    let number: Int64
    let isDelta: Bool
  }

  private(set) var schema: ArrowSchema
  private(set) var batches: [Batch] = []
  private(set) var dictionaries: [Dictionary] = []
  /// The number of all rows.
  private(set) var rowCount = 0

  static let fileMagic = Array("ARROW1".utf8)
  /// The bytes before the size of a message; files of Arrow before 0.15 do without.
  static let marker: UInt32 = 0xFFFF_FFFF
  /// The most rows of a batch whose columns hold only nulls, because such a batch takes no bytes.
  private static let mostEmptyRows = 1 << 20
  /// The largest description that is read.
  private static let largestHead = 1 << 28

  /// Finds the parts of a file, or of a stream.
  init(_ input: InputFile) throws(ArrowError) {
    let magic = try input.bytes(at: 0, count: 8)
    if magic.starts(with: Self.fileMagic) {
      try self.init(file: input)
    } else {
      try self.init(stream: input)
    }
  }

  // MARK: Streams

  private init(stream input: InputFile) throws(ArrowError) {
    guard let (first, message) = try Self.message(of: input, at: 0), message.kind == .schema else {
      throw ArrowError("the stream does not begin with its columns")
    }
    schema = try ArrowSchema(message.header)
    var offset = try Self.end(of: message, at: first, in: input)
    while let (place, message) = try Self.message(of: input, at: offset) {
      offset = try Self.end(of: message, at: place, in: input)
      switch message.kind {
      case .schema: throw ArrowError("the stream describes its columns again")
      case .dictionary: try appendDictionary(place, message)
      case .rows: try appendBatch(place, message)
      case .other: break
      }
    }
  }

  /// Returns the offset behind the values of a message, which must be in the file.
  private static func end(
    of message: ArrowMessage, at place: Place, in input: InputFile
  ) throws(ArrowError) -> Int64 {
    guard message.bodySize <= input.size - place.body else { throw .cutOff }
    return place.body + message.bodySize
  }

  /// Reads the description at an offset; returns nil at the end of the stream.
  private static func message(
    of input: InputFile, at offset: Int64
  ) throws(ArrowError) -> (place: Place, message: ArrowMessage)? {
    guard offset < input.size else { return nil }
    guard let (start, size) = try headSize(of: input, at: offset) else { return nil }
    let bytes = try input.bytes(at: offset + Int64(start), count: size)
    let place = Place(offset: offset, headSize: start + size)
    do throws(ArrowError) { return (place, try ArrowMessage(bytes)) } catch {
      throw error.located("at byte \(offset)")
    }
  }

  /// Returns the number of bytes before a description, and its size; nil at the end of the stream.
  private static func headSize(
    of input: InputFile, at offset: Int64
  ) throws(ArrowError) -> (start: Int, size: Int)? {
    var start = 4
    var word = try input.bytes(at: offset, count: 4).littleEndianWord
    if word == marker {
      word = try input.bytes(at: offset + 4, count: 4).littleEndianWord
      start = 8
    }
    guard word > 0 else { return nil }
    guard Int(word) <= largestHead else {
      throw ArrowError("at byte \(offset): the file is damaged, or is not Arrow's")
    }
    return (start, Int(word))
  }

  private mutating func appendBatch(
    _ place: Place, _ message: ArrowMessage
  ) throws(ArrowError) {
    let count = try BatchHeader.rowCount(message.header)
    let (total, overflows) = rowCount.addingReportingOverflow(count)
    guard !overflows, total <= Int(Int32.max) * 1024,
      message.bodySize > 0 || count <= Self.mostEmptyRows
    else { throw ArrowError("a batch has \(count) rows without values") }
    batches.append(
      Batch(
        place: place, firstRow: rowCount, rowCount: count, dictionaryCount: dictionaries.count))
    rowCount = total
  }

  private mutating func appendDictionary(
    _ place: Place, _ message: ArrowMessage
  ) throws(ArrowError) {
    let number: Int64 = try message.header.number(0)
    let isDelta: UInt8 = try message.header.number(2)
    dictionaries.append(Dictionary(place: place, number: number, isDelta: isDelta != 0))
  }

  // MARK: Files

  private init(file input: InputFile) throws(ArrowError) {
    let footer = try FlatTableReader(try Self.footer(of: input))
    guard let table = try footer.table(1) else { throw .damaged }
    schema = try ArrowSchema(table)
    for place in try Self.places(footer, 2, of: input) {
      let message = try Self.message(in: input, at: place)
      guard message.kind == .dictionary else { throw .damaged }
      try appendDictionary(place, message)
    }
    for place in try Self.places(footer, 3, of: input) {
      let message = try Self.message(in: input, at: place)
      guard message.kind == .rows else { throw .damaged }
      try appendBatch(place, message)
    }
  }

  /// Reads the description at the end of a file.
  private static func footer(of input: InputFile) throws(ArrowError) -> [UInt8] {
    let tailSize = Int64(4 + fileMagic.count)
    guard input.size >= 8 + tailSize else { throw .cutOff }
    let tail = try input.bytes(at: input.size - tailSize, count: Int(tailSize))
    guard tail.dropFirst(4).elementsEqual(fileMagic) else {
      throw ArrowError(
        "the file ends without the mark of Arrow, so it is cut off or was not finished")
    }
    let size = Int64(tail.littleEndianWord)
    guard size <= input.size - 8 - tailSize, size <= largestHead else { throw .damaged }
    return try input.bytes(at: input.size - tailSize - size, count: Int(size))
  }

  /// Reads the places of a field of the footer: an offset, the size of the description, and that of
  /// the values.
  private static func places(
    _ footer: FlatTableReader, _ id: Int, of input: InputFile
  ) throws(ArrowError) -> [Place] {
    let words = try footer.words(id, of: 3)
    var places: [Place] = []
    for index in stride(from: 0, to: words.count, by: 3) {
      let (offset, size) = (words[index], Int64(Int32(truncatingIfNeeded: words[index + 1])))
      guard size > 8, size <= largestHead, offset >= 0, offset <= input.size - size else {
        throw .damaged
      }
      places.append(Place(offset: offset, headSize: Int(size)))
    }
    return places
  }

  /// Reads the description at a place.
  static func message(in input: InputFile, at place: Place) throws(ArrowError) -> ArrowMessage {
    guard let (found, message) = try message(of: input, at: place.offset),
      found.headSize <= place.headSize
    else { throw .damaged }
    _ = try end(of: message, at: place, in: input)
    return message
  }
}

extension ArrowError {
  /// The fault of a file that ends within a part.
  static var cutOff: ArrowError { ArrowError("the file is cut off") }
}

extension [UInt8] {
  /// The number in the first four bytes, the lowest first.
  fileprivate var littleEndianWord: UInt32 {
    prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }
}

extension InputFile {
  /// Reads bytes. The file must have all of them.
  func bytes(at offset: Int64, count: Int) throws(ArrowError) -> [UInt8] {
    guard offset >= 0, count >= 0, offset <= size - Int64(count) else { throw .cutOff }
    do throws(ImportError) { return try readBytes(at: offset, count: count) } catch {
      throw ArrowError(error)
    }
  }
}
