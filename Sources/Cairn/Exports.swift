// The library as users import it: the object API, and the parts of it that need Foundation.
@_exported import CairnObjects

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// Foundation has types of these names too. Because of these declarations the names refer to Cairn's
// types in files that import both.

/// A condition on the objects of a class.
public typealias Predicate = CairnObjects.Predicate

/// A property to sort by, and the direction.
public typealias SortDescriptor = CairnObjects.SortDescriptor
