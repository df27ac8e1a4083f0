/// The way in which dates are written, as `strptime` describes it: `%d.%m.%Y %H:%M`.
package struct DateFormat: Sendable {
  /// The letters that may follow `%`, and what they stand for.
  package static let directives: [(letter: Character, meaning: String)] = [
    ("Y", "the year in four digits"), ("y", "the year in two: 69 to 99 are 1969 to 1999"),
    ("m", "the month as a number"),
    ("b", "the month as an English word, whole or its first three letters"),
    ("B", "the same"), ("d", "the day"), ("e", "the same"), ("j", "the day of the year"),
    ("H", "the hour of 24"), ("I", "the hour of 12"), ("p", "AM or PM"), ("M", "the minute"),
    ("S", "the second"), ("f", "the fraction of a second"),
    ("z", "the zone, as +0200, +02:00, +02, Z, UTC or GMT"), ("Z", "the same"),
    ("a", "the weekday, which is passed over"), ("A", "the same"),
    ("s", "seconds since 1970"), ("T", "%H:%M:%S"), ("F", "%Y-%m-%d"), ("D", "%m/%d/%y"),
    ("R", "%H:%M"), ("n", "blanks"), ("t", "blanks"), ("%", "a percent sign"),
  ]
  private static let shorthands: [Character: String] = [
    "T": "%H:%M:%S", "F": "%Y-%m-%d", "D": "%m/%d/%y", "R": "%H:%M",
  ]

  /// Why a text describes no way to write dates.
  package struct FormatError: Error, CustomStringConvertible, Sendable {
    package let description: String
  }

  enum Item: Sendable, Equatable {
    case field(UInt8)
    case literal(UInt8)
    /// Blanks, as many as there are.
    case space
  }

  /// As it was given.
  package let text: String
  let items: [Item]

  /// Takes a description apart.
  package init(_ text: String) throws(FormatError) {
    self.text = text
    var items: [Item] = []
    try Self.add(text, to: &items)
    self.items = items
    let fields = Set(
      items.compactMap { item -> Character? in
        if case .field(let byte) = item { Character(Unicode.Scalar(byte)) } else { nil }
      })
    guard !fields.contains("s") else { return }
    let hasYear = fields.contains("Y") || fields.contains("y")
    let hasDay =
      fields.contains("j")
      || !fields.isDisjoint(with: ["m", "b", "B"]) && !fields.isDisjoint(with: ["d", "e"])
    guard hasYear, hasDay else {
      throw FormatError(description: "a date has a year, a month and a day, as in %Y-%m-%d")
    }
    if fields.contains("I") != fields.contains("p") {
      throw FormatError(description: "%I, the hour of 12, and %p, AM or PM, go together")
    }
  }

  private static func add(_ text: String, to items: inout [Item]) throws(FormatError) {
    var rest = text[...]
    while let character = rest.popFirst() {
      if character == "%" {
        guard let letter = rest.popFirst(), directives.contains(where: { $0.letter == letter })
        else {
          let known = directives.map { "%\($0.letter)" }.joined(separator: " ")
          throw FormatError(description: "behind % stands one of \(known)")
        }
        switch letter {
        case "%": items.append(.literal(UInt8(ascii: "%")))
        case "n", "t": items.append(.space)
        default:
          if let shorthand = shorthands[letter] {
            try add(shorthand, to: &items)
          } else if let byte = letter.asciiValue {
            items.append(.field(byte))
          }
        }
      } else if character == " " || character == "\t" {
        items.append(.space)
      } else {
        items += character.utf8.map { .literal($0) }
      }
    }
  }

  /// The date that the text gives; nil when it is not written in this way.
  ///
  /// - Parameter zone: of times that say none.
  package func read(_ text: UnsafeRawBufferPointer, zone: TimeZoneRules = .utc) -> ReadDate? {
    var reader = FormatReader(text)
    return reader.read(items, zone)
  }
}
