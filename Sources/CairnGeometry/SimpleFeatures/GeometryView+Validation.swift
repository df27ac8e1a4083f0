extension GeometryView {
  /// Creates a view of bytes that may be anything, after a complete check of the packed form.
  ///
  /// - Throws: ``GeometryError`` with the part of the packed form that is wrong, or with the rule
  ///   that the geometry breaks.
  package init(validating bytes: UnsafeRawBufferPointer) throws(GeometryError) {
    guard bytes.count >= Self.headerSize else {
      throw Self.damage("\(bytes.count) bytes are shorter than a header")
    }
    self.init(bytes)
    try checkHeader()
    try checkStructure()
    try checkRules()
    try checkEncoding()
  }

  private static func damage(_ message: String) -> GeometryError {
    GeometryError(.encoding, message: "the packed geometry is damaged: \(message)")
  }

  private func isZero(_ offsets: Range<Int>) -> Bool {
    assert(
      offsets.lowerBound >= 0 && offsets.upperBound <= size, "padding is outside of the bytes")
    return offsets.allSatisfy { base.load(fromByteOffset: $0, as: UInt8.self) == 0 }
  }

  /// Checks the kind, the flags, and that the sizes add up. Nothing after the header is read before
  /// that.
  private func checkHeader() throws(GeometryError) {
    let code = base.load(as: UInt8.self)
    guard Geometry.Kind(rawValue: code) != nil else { throw Self.damage("kind \(code)") }
    let flags = base.load(fromByteOffset: 1, as: UInt8.self)
    guard flags & ~(Self.fixedFlag | Self.altitudesFlag) == 0 else {
      throw Self.damage("flags \(flags)")
    }
    guard isZero(2..<4), isZero(12..<Self.headerSize) else {
      throw Self.damage("reserved bytes are not zero")
    }
    let words = (structureCount * 4 + 7) & ~7
    let expected =
      Self.headerSize + words + 2 * axisSize + (hasAltitudes ? vertexCount * 8 : 0)
    guard structureCount >= 2, size == expected else {
      throw Self.damage(
        "\(size) bytes for \(structureCount) words and \(vertexCount) vertices, expected \(expected)"
      )
    }
    let structureEnd = Self.headerSize + structureCount * 4
    let isPadded =
      isZero(structureEnd..<Self.headerSize + words)
      && (!isFixed
        || [longitudes, latitudes].allSatisfy { axis in
          let start = axis - base
          return isZero(start + vertexCount * 4..<start + axisSize)
        })
    guard isPadded else { throw Self.damage("padding is not zero") }
  }

  /// A geometry with members that the check has not reached.
  private struct Pending {
    var count: Int
    let memberKind: Geometry.Kind?
  }

  /// Checks that the structure is a geometry with all words and vertices, without recursion.
  private func checkStructure() throws(GeometryError) {
    guard structure(0) == Int(kind.rawValue) else {
      throw Self.damage("kinds \(kind.rawValue) and \(structure(0))")
    }
    var cursor = Cursor()
    var pending = [Pending(count: 1, memberKind: kind)]
    while let last = pending.last {
      guard last.count > 0 else {
        pending.removeLast()
        continue
      }
      pending[pending.count - 1].count -= 1
      guard pending.count <= Self.maxNestingDepth else { throw Self.nestingError }
      if let members = try checkGeometry(at: &cursor, as: last.memberKind) {
        pending.append(members)
      }
    }
    guard cursor.word == structureCount, cursor.vertex == vertexCount else {
      throw Self.damage(
        "a geometry of \(cursor.word) words and \(cursor.vertex) vertices,"
          + " expected \(structureCount) and \(vertexCount)")
    }
  }

  /// Checks one geometry without its members, and moves the cursor to its end.
  private func checkGeometry(
    at cursor: inout Cursor, as required: Geometry.Kind?
  ) throws(GeometryError) -> Pending? {
    guard cursor.word + 2 <= structureCount else { throw Self.damage("the structure ends early") }
    let (code, count) = (structure(cursor.word), structure(cursor.word + 1))
    guard code <= 7, let kind = Geometry.Kind(rawValue: UInt8(code)),
      required == nil || required == kind
    else { throw Self.damage("kind \(code) at word \(cursor.word)") }
    cursor.word += 2
    switch kind {
    case .point:
      guard count <= 1 else { throw Self.damage("a point of \(count) vertices") }
      cursor.vertex += count
    case .lineString: cursor.vertex += count
    case .polygon:
      guard count <= structureCount - cursor.word else {
        throw Self.damage("a polygon of \(count) rings")
      }
      for ring in cursor.word..<cursor.word + count { cursor.vertex += structure(ring) }
      cursor.word += count
    default: return Pending(count: count, memberKind: kind.memberKind)
    }
    // The rules read the vertices, so none may lie behind the end.
    guard cursor.vertex <= vertexCount else { throw Self.damage("too few vertices") }
    return nil
  }

  /// Checks that the coordinates are encoded in the only way, so that equal geometries have equal
  /// bytes.
  private func checkEncoding() throws(GeometryError) {
    if !isFixed {
      let areExact = (0..<vertexCount).allSatisfy {
        E7.isExact(longitude($0)) && E7.isExact(latitude($0))
      }
      guard !areExact else { throw Self.damage("coordinates are not in fixed point") }
    }
    guard hasAltitudes else { return }
    assert(holdsCoordinates, "the altitudes are outside of the bytes")
    var hasAny = false
    for index in 0..<vertexCount {
      let bits = altitudes.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self)
      let isNumber = !Double(bitPattern: bits).isNaN
      hasAny = hasAny || isNumber
      guard isNumber || bits == Double.nan.bitPattern else {
        throw Self.damage("the altitude of vertex \(index) is not a number")
      }
    }
    guard hasAny else { throw Self.damage("no vertex has an altitude") }
  }
}
