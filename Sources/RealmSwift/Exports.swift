// Cairn under Realm's name, so that programs with `import RealmSwift`, and names such as
// `RealmSwift.List`, compile.
@_exported import Cairn
