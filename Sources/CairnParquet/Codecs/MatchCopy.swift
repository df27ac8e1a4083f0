/// Copies that unpacking repeats millions of times, in steps of whole words.
enum MatchCopy {
  /// The number of bytes that ``copy16(from:to:)`` copies, however few are wanted.
  static let step = 16

  /// Copies 16 bytes.
  @inline(__always)
  static func copy16(from source: UnsafeRawPointer, to target: UnsafeMutableRawPointer) {
    target.storeBytes(
      of: source.loadUnaligned(as: SIMD16<UInt8>.self), as: SIMD16<UInt8>.self)
  }

  /// Repeats the `count` bytes that begin `distance` before `target`, in the order of their addresses: a
  /// distance below the count repeats bytes that the copy itself wrote.
  ///
  /// - Parameter capacity: The number of bytes from `target` that may be written. It is at least `count`;
  ///   those behind the copy may change.
  @inline(__always)
  static func repeatBytes(
    _ target: UnsafeMutableRawPointer, distance: Int, count: Int, capacity: Int
  ) {
    assert(distance > 0 && count >= 0 && count <= capacity, "the copy is outside of the output")
    let source = UnsafeRawPointer(target - distance)
    if distance >= step, capacity - count >= step {
      var done = 0
      repeat {
        copy16(from: source + done, to: target + done)
        done += step
      } while done < count
    } else {
      repeatSlowly(target, distance: distance, count: count, capacity: capacity)
    }
  }

  /// The copies near the end of the output, and those of short patterns.
  @inline(never)
  private static func repeatSlowly(
    _ target: UnsafeMutableRawPointer, distance: Int, count: Int, capacity: Int
  ) {
    if distance >= count {
      target.copyMemory(from: target - distance, byteCount: count)
    } else if distance == 1 {
      let byte = (target - 1).load(as: UInt8.self)
      target.initializeMemory(as: UInt8.self, repeating: byte, count: count)
    } else {
      repeatPattern(target, distance: distance, count: count, capacity: capacity)
    }
  }

  /// Once the pattern has been written often enough that it fills a word, whole words follow it at a
  /// multiple of its length.
  private static func repeatPattern(
    _ target: UnsafeMutableRawPointer, distance: Int, count: Int, capacity: Int
  ) {
    let period = distance >= 8 ? distance : (8 + distance - 1) / distance * distance
    var done = 0
    while done < count, done < period - distance || capacity - done < 8 {
      let byte = (target + (done - distance)).load(as: UInt8.self)
      target.storeBytes(of: byte, toByteOffset: done, as: UInt8.self)
      done += 1
    }
    while done < count, capacity - done >= 8 {
      let word = UnsafeRawPointer(target + (done - period)).loadUnaligned(as: UInt64.self)
      target.storeBytes(of: word, toByteOffset: done, as: UInt64.self)
      done += 8
    }
    while done < count {
      let byte = (target + (done - distance)).load(as: UInt8.self)
      target.storeBytes(of: byte, toByteOffset: done, as: UInt8.self)
      done += 1
    }
  }
}
