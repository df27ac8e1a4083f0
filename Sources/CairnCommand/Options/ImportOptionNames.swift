import CairnIO

// The spelling of import options on the command line.
extension ImportMessage {
  /// The message with options as the command line spells them, as in `--crs EPSG:n`.
  var shellText: String {
    rendered { uses in
      "`\(uses.map(\.shellText).joined(separator: " "))`"
    } pipe: { command, namesClass in
      "`\(command) | cairn import STORE -\(namesClass ? " --class NAME" : "")`"
    }
  }
}

extension ImportMessage {
  /// The message for a command that reads a file of data like a store: a layer is written after the name
  /// of the file, and the other options are those of an import.
  func shellText(reading path: String) -> String {
    rendered { uses in
      if uses.count == 1, uses[0].option == .layer {
        return "`\(path):\(uses[0].value ?? "LAYER")`"
      }
      return "`cairn import STORE \(path) \(uses.map(\.shellText).joined(separator: " "))`"
    } pipe: { command, _ in
      "`\(command) | cairn query -`"
    }
  }
}

extension OptionUse {
  /// The option with its value, quoted for a shell if necessary.
  fileprivate var shellText: String {
    value.map { "\(option.shellName) \(Self.quoted($0))" } ?? option.shellName
  }

  private static func quoted(_ value: String) -> String {
    let isPlain =
      !value.isEmpty
      && value.allSatisfy { $0.isLetter || $0.isNumber || "/,-+.:=_…".contains($0) }
    return isPlain ? value : "'\(value.replacing("'", with: "'\\''"))'"
  }
}

extension ImportOption {
  /// The name of the option, with its value if the option has only one that matters.
  fileprivate var shellName: String {
    switch self {
    case .className: "--class"
    case .format: "--format"
    case .layer: "--layer"
    case .gdalSettings: "--gdal"
    case .coordinateSystem: "--crs"
    case .x: "--x"
    case .y: "--y"
    case .latitude: "--lat"
    case .longitude: "--lon"
    case .latitudeFirstColumn: "--lat-lon"
    case .longitudeFirstColumn: "--lon-lat"
    case .geometryColumn: "--wkt"
    case .wrapsLongitudes: "--wrap-longitude"
    case .hasNoLocation: "--no-location"
    case .locationName: "--location"
    case .allowsMissing: "--location-optional"
    case .takesEachPoint: "--each-point"
    case .pointOf: "--point"
    case .repairs: "--repair"
    case .delimiter: "--delimiter"
    case .comment: "--comment"
    case .hasNoComments: "--comment none"
    case .hasDecimalCommas: "--decimal-comma"
    case .thousands: "--thousands"
    case .skippedLines: "--skip-lines"
    case .hasNoHeader: "--no-header"
    case .fillsRows: "--ragged fill"
    case .encoding: "--encoding"
    case .nulls: "--null"
    case .dateFormat: "--date-format"
    case .timeZone: "--timezone"
    case .types: "--type"
    case .renamedColumns: "--rename"
    case .droppedColumns: "--drop"
    case .primaryKey: "--key"
    case .fileNameProperty: "--file-name-as"
    case .formulas: "--set"
    case .condition: "--where"
    case .boxes: "--bbox"
    case .spacing: "--deduplicate"
    case .updateKey: "--update-by"
    case .onConflict: "--on-conflict"
    case .onError: "--on-error"
    }
  }
}
