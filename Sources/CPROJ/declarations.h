#ifndef CAIRN_CPROJ_DECLARATIONS_H
#define CAIRN_CPROJ_DECLARATIONS_H

// The structures that PROJ's functions take by value or fill in. Cairn opens libproj at run time
// and declares the functions in Swift, so that building it does not need PROJ's headers. The names
// differ from PROJ's, because a program may import those headers too.

/// A position in up to four dimensions, with the layout of PJ_COORD (proj.h, unchanged since PROJ
/// 5).
typedef union {
  double v[4];
} cairn_proj_position;

/// The memory of a geod_geodesic (geodesic.h). Its 51 doubles are unchanged since PROJ 4.9; the
/// rest is spare.
typedef struct {
  double words[64];
} cairn_proj_ellipsoid;

/// The memory of a geod_polygon (geodesic.h). Its eight doubles and three integers are unchanged
/// since PROJ 4.9; the rest is spare.
typedef struct {
  double words[32];
} cairn_proj_polygon;

#endif
