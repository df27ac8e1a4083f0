package import CairnGeometry

/// How output for people is laid out; programs' formats pay no heed to it.
package struct OutputStyle: Sendable {
  /// Columns of the terminal that a table must fit; nil: as wide as it gets.
  package var width: Int?
  /// The terminal that a map is drawn for.
  package var screen = Screen()
  package var picture = PictureSubject()

  package init() {}

  /// What a map in the terminal may use.
  package struct Screen: Sendable {
    package var columns = 80
    package var rows = 24
    package var hasColour = false

    package init() {}
  }
}

/// What a picture shows besides the rows.
package struct PictureSubject: Sendable {
  /// What was asked, in words.
  package var title = ""
  /// What the rows lie in.
  package var regions: [Shape] = []
  /// Where distances begin.
  package var origin: GeoPoint?

  package init() {}
}
