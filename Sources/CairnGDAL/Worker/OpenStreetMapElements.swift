import CairnSystem

/// The nodes, ways and relations of a text of OpenStreetMap.
struct OpenStreetMapElements {
  /// The kinds of elements in the order that GDAL needs.
  private enum Kind: Int, CaseIterable {
    case other
    case node
    case way
    case relation
  }

  private struct Element {
    let kind: Kind
    let identifier: Int64?
    /// Whether it has tags or members.
    let hasContent: Bool
    let range: Range<Int>
  }

  private let bytes: UnsafeRawBufferPointer
  /// The tag that begins the outermost element.
  private let root: Range<Int>

  /// Returns nil for a text without an element.
  init?(_ bytes: UnsafeRawBufferPointer) {
    var tags = XMLTags(bytes)
    guard let root = tags.next() else { return nil }
    self.bytes = bytes
    self.root = root.range
  }

  /// Returns the text with nodes before ways and ways before relations, each of them once; nil if they
  /// are, or the text is not complete. Of an element that comes twice, one with tags is kept.
  ///
  /// - Throws: `LayerFailure` if ways have no nodes.
  func inOrder() throws(LayerFailure) -> [UInt8]? {
    guard try !isInOrder() else { return nil }
    var withContent = Kind.allCases.map { _ in Set<Int64>() }
    _ = try forEach { element in
      if element.hasContent, let identifier = element.identifier {
        withContent[element.kind.rawValue].insert(identifier)
      }
    }
    var taken = Kind.allCases.map { _ in Set<Int64>() }
    var ranges: [[Range<Int>]] = Kind.allCases.map { _ in [] }
    let end = try forEach { element in
      let kind = element.kind.rawValue
      if let identifier = element.identifier {
        let isBest = element.hasContent || !withContent[kind].contains(identifier)
        guard isBest, taken[kind].insert(identifier).inserted else { return }
      }
      ranges[kind].append(element.range)
    }
    guard let end else { return nil }
    let parts = [[bytes[root]], ranges.joined().map { bytes[$0] }, [bytes[end]]]
    return Array(parts.joined().joined())
  }

  /// Whether the kinds follow one another as GDAL needs them, each with ascending identifiers, so that
  /// no element comes twice.
  private func isInOrder() throws(LayerFailure) -> Bool {
    var (kind, identifier, isInOrder) = (Kind.other, Int64.min, true)
    let end = try forEach { element in
      guard element.kind != .other else { return }
      if element.kind != kind { identifier = .min }
      let next = element.identifier ?? .max
      isInOrder = isInOrder && element.kind.rawValue >= kind.rawValue && next > identifier
      (kind, identifier) = (element.kind, next)
    }
    return end == nil || isInOrder
  }

  /// Calls `body` with the elements. Returns the tag that ends the text; nil if it is not complete.
  private func forEach(
    _ body: (Element) -> Void
  ) throws(LayerFailure) -> Range<Int>? {
    var tags = XMLTags(bytes)
    _ = tags.next()
    var (depth, start, first) = (1, 0, root)
    while let tag = tags.next() {
      if depth == 1 { (start, first) = (tag.range.lowerBound, tag.range) }
      if depth > 1 { try checkPlace(of: tag, tags) }
      if tag.form == .start { depth += 1 }
      if tag.form == .end { depth -= 1 }
      if depth == 0 { return tag.range }
      guard depth == 1 else { continue }
      let kind = kind(tag.name, tags)
      body(
        Element(
          kind: kind, identifier: kind == .other ? nil : identifier(in: first),
          hasContent: tag.form == .end, range: start..<tag.range.upperBound))
    }
    return nil
  }

  private func kind(_ name: Range<Int>, _ tags: XMLTags) -> Kind {
    if tags.isName(name, "node") { return .node }
    if tags.isName(name, "way") { return .way }
    return tags.isName(name, "relation") ? .relation : .other
  }

  /// Returns the value of the attribute `id` of a tag.
  private func identifier(in tag: Range<Int>) -> Int64? {
    guard let value = value(of: "id", in: tag) else { return nil }
    return Int64(String(decoding: bytes[value], as: UTF8.self))
  }

  /// Returns the range of the value of an attribute.
  private func value(of name: StaticString, in tag: Range<Int>) -> Range<Int>? {
    let size = name.utf8CodeUnitCount
    var index = tag.lowerBound + 1
    var quote: UInt8?
    while index + size + 2 < tag.upperBound {
      let byte = bytes[index]
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte <= 0x20, hasName(name, at: index + 1),
        case let open = index + 1 + size + 1, bytes[open] != 0x20
      {
        let end = bytes[open + 1..<tag.upperBound].firstIndex(of: bytes[open])
        return end.map { open + 1..<$0 }
      }
      index += 1
    }
    return nil
  }

  /// Whether a name and a sign of equality are at an index of a tag.
  private func hasName(_ name: StaticString, at index: Int) -> Bool {
    let size = name.utf8CodeUnitCount
    return bytes[index + size] == UInt8(ascii: "=")
      && (0..<size).allSatisfy { bytes[index + $0] == name.utf8Start[$0] }
  }

  /// Throws if a way or relation has a centre, or the coordinates of its nodes, instead of nodes.
  private func checkPlace(of tag: XMLTags.Tag, _ tags: XMLTags) throws(LayerFailure) {
    guard
      tags.isName(tag.name, "center")
        || tags.isName(tag.name, "nd") && value(of: "lat", in: tag.range) != nil
    else { return }
    throw LayerFailure(
      "its ways have coordinates instead of nodes (`out center` or `out geom` of Overpass), which "
        + "GDAL leaves out; ask for the nodes with `out body; >; out skel qt;`")
  }
}
