internal import CArrow
internal import CairnIO

/// Loads the dictionaries of a file.
struct DictionaryLoader {
  private let file: ArrowFile

  init(_ file: ArrowFile) { self.file = file }

  /// The most parts of a dictionary.
  private static let mostParts = 1 << 12

  /// Returns the dictionary of a column: the last one before an index, and those that extend it.
  ///
  /// - Parameter end: The number of dictionaries that may be used.
  func dictionary(
    of field: ArrowField, before end: Int
  ) throws(ArrowError) -> LoadedDictionary {
    let all = file.container.dictionaries
    var parts: [Int] = []
    for index in (0..<end).reversed() where all[index].number == field.dictionary {
      parts.append(index)
      if !all[index].isDelta { break }
      guard parts.count < Self.mostParts else {
        throw ArrowError("a dictionary has more than \(Self.mostParts) parts")
      }
    }
    guard !parts.isEmpty else { throw ArrowError("the dictionary \(field.dictionary) is missing") }
    parts.reverse()
    let values = ArrowField(name: field.name, type: field.type, children: field.children)
    let found = try file.dictionaries.part(parts) { () throws(ArrowError) in
      var loaded: [LoadedDictionary] = []
      for part in parts { loaded.append(try load(part, values)) }
      return try LoadedDictionary.joined(loaded, values)
    }
    guard found.field.hasLayout(of: values) else {
      throw ArrowError("the dictionary \(field.dictionary) has values of two types")
    }
    return found
  }

  private func load(_ index: Int, _ field: ArrowField) throws(ArrowError) -> LoadedDictionary {
    let place = file.container.dictionaries[index].place
    let message = try ArrowContainer.message(in: file.input, at: place)
    guard let data = try message.header.table(1) else { throw .damaged }
    let header = try BatchHeader(data, bodySize: message.bodySize, isOld: message.isOld)
    let arena = ArrowArena()
    let body = BodyReader(
      header, at: place, of: file.input, in: arena, shared: nil, kept: BodyReader.Kept())
    var others: [LoadedDictionary] = []
    // Only a dictionary before this one, so that none needs itself.
    var loader = try ArrayLoader(field, behind: [], of: body, in: arena) {
      field throws(ArrowError) in
      let other = try dictionary(of: field, before: index)
      others.append(other)
      return other
    }
    let array = try loader.load(nil)
    return LoadedDictionary(array, of: field, in: arena, others: others)
  }
}
