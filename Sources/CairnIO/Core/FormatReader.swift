/// A reader of files of some formats, in a module of its own. The program hands the readers to an import
/// in ``ImportOptions/readers``, so that the import does not depend on their modules.
///
/// ``LayerReader`` and ``ColumnFileReader`` refine it.
package protocol FormatReader: Sendable {}
