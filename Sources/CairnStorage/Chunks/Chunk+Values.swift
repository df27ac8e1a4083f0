import CairnIndex
import CairnValues

extension Chunk {
  /// The code of a row as it stands, before the frame.
  @inlinable @inline(__always)
  package func code(at row: Int) -> UInt64 {
    switch width {
    case 0: 0
    case 1: UInt64(codes.load(fromByteOffset: row, as: UInt8.self))
    case 2: UInt64(codes.load(fromByteOffset: row * 2, as: UInt16.self))
    case 4: UInt64(codes.load(fromByteOffset: row * 4, as: UInt32.self))
    default: codes.load(fromByteOffset: row * 8, as: UInt64.self)
    }
  }

  /// The integer of a row of `.integers`.
  @inlinable @inline(__always)
  package func int(at row: Int) -> Int64 { frame &+ Int64(bitPattern: code(at: row)) }

  /// The double of a row of `.doubles` or `.decimals`.
  @inlinable @inline(__always)
  package func double(at row: Int) -> Double {
    encoding == .doubles
      ? codes.load(fromByteOffset: row * 8, as: Double.self)
      : Double(int(at: row)) / Decimals.powers[exponent]
  }

  /// The float of a row of `.floats`.
  @inlinable @inline(__always)
  package func float(at row: Int) -> Float {
    codes.load(fromByteOffset: row * 4, as: Float.self)
  }

  /// The bytes of a row of `.bytes`, `.dictionary`, `.slots` or `.fixed`.
  @inlinable
  package func bytes(at row: Int) -> UnsafeRawBufferPointer {
    switch encoding {
    case .dictionary: entry(Int(code(at: row)))
    case .bytes: span(from: offset(row), to: offset(row + 1))
    case .slots: slot(row)
    default: UnsafeRawBufferPointer(start: codes + row * width, count: width)
    }
  }

  /// The dictionary entry of a code.
  @inlinable
  package func entry(_ code: Int) -> UnsafeRawBufferPointer {
    let offsets = heap - (dictionaryCount + 1) * 4
    return span(
      from: Int(offsets.load(fromByteOffset: code * 4, as: UInt32.self)),
      to: Int(offsets.load(fromByteOffset: code * 4 + 4, as: UInt32.self)))
  }

  @inlinable
  func offset(_ row: Int) -> Int {
    width == 2
      ? Int(codes.load(fromByteOffset: row * 2, as: UInt16.self))
      : Int(codes.load(fromByteOffset: row * 4, as: UInt32.self))
  }

  @inlinable
  func span(from start: Int, to end: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: heap + start, count: end - start)
  }

  @inlinable
  func slot(_ row: Int) -> UnsafeRawBufferPointer {
    let start = Int(codes.load(fromByteOffset: row * 8, as: UInt32.self))
    let length = Int(codes.load(fromByteOffset: row * 8 + 4, as: UInt32.self))
    return UnsafeRawBufferPointer(start: heap + start, count: length)
  }

  /// The text of a row.
  package func string(at row: Int) -> String {
    String(decoding: bytes(at: row), as: UTF8.self)
  }

  /// The value of a row of a column of that type. Collections and links give their stored bytes.
  package func value(at row: Int, type: ValueType) -> Value {
    if isNull(row) { return .null }
    switch type {
    case .bool: return .bool(int(at: row) != 0)
    case .int, .link, .embedded: return .int(int(at: row))
    case .float: return .float(float(at: row))
    case .double: return .double(double(at: row))
    case .date: return .date(double(at: row))
    case .string: return .string(string(at: row))
    case .data, .mixed: return .data(Array(bytes(at: row)))
    case .objectId: return .objectId(ObjectId(storedBytes: bytes(at: row)))
    case .uuid: return .uuid(UUIDBytes(storedBytes: bytes(at: row)))
    case .decimal128: return .decimal(Decimal128(storedBytes: bytes(at: row)))
    case .point: return .point(position(at: row))
    }
  }
}
