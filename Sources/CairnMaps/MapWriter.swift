package import CairnIO

/// Writes rows as maps: in the terminal, as an SVG image, and as an HTML page.
package struct MapWriter: FormatWriter {
  /// Creates a writer.
  package init() {}

  package func encoder(
    _ format: OutputFormat, columns: [OutputColumn], system: OutputSystem?, style: OutputStyle
  ) throws(OutputError) -> (any RowEncoder)? {
    switch format {
    case .map: MapEncoder(try MapColumns(columns), style: style)
    case .svg: SVGEncoder(try MapColumns(columns), subject: style.picture)
    case .html: HTMLEncoder(try MapColumns(columns), subject: style.picture)
    default: nil
    }
  }
}
