import CairnFormats
import CairnGeometry
import CairnQuery
import CairnStorage

extension Failure {
  /// What an error of the layers below means to the caller of the command; nil: none of theirs.
  init?(_ error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    case let error as StoreError: self.init(error)
    case let error as ImportError: self.init(error)
    case let error as OutputError: self.init(error)
    case let error as GeometryError: self.init(error)
    case let error as PredicateError:
      self.init(error.kind == .shape ? .badData : .usage, lines: PredicateAdvice.text(of: error))
    case let error as QueryError: self.init(.usage, error.description)
    default: return nil
    }
  }

  private init(_ error: StoreError) {
    self.init(Code(error.kind), error.message)
  }

  private init(_ error: ImportError) {
    let code: Code =
      switch error.kind {
      case .usage: .usage
      case .data: .badData
      case .noInput: .noInput
      case .io: .io
      case .library: .other
      case .store: error.storeError.map { Code($0.kind) } ?? .io
      }
    self.init(code, error.message)
  }

  private init(_ error: OutputError) {
    switch error {
    case .closed: self.init(.other, "the output was closed")
    case .diskFull: self.init(.io, "cannot write the output: the disk is full")
    case .io(let code): self.init(.io, "cannot write the output: \(System.outputErrorText(code))")
    case .outsideSystem(let why):
      self.init(.badData, "\(why) --bbox W,S,E,N leaves such rows out.")
    case .systemUnsaid(let why): self.init(.usage, "--crs: \(why)")
    case .tooDeep:
      self.init(
        .badData,
        "a row holds more than 512 objects and collections within one another; --select leaves that column out"
      )
    case .noLocation:
      self.init(
        .usage, "the format needs a location, and the class has none; choose another --format")
    }
  }

  init(_ error: GeometryError) {
    switch error.kind {
    case .missingLibrary, .library: self.init(.other, error.message)
    default: self.init(.badData, error.message)
    }
  }
}

extension Failure.Code {
  init(_ kind: StoreError.Kind) {
    self =
      switch kind {
      case .notFound: .noInput
      case .schemaMismatch, .duplicateKey, .invalidValue: .badData
      case .notAStore, .truncated, .newerVersion, .damaged, .locked, .diskFull, .io, .full,
        .readOnly, .exists, .inUse:
        .io
      case .misuse: .other
      }
  }
}
