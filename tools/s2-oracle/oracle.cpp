// Compares pairs of geometries with S2, for tests.
//
// Reads lines of two WKT geometries with a tab between them. For each it prints whether the first
// intersects the second, whether it lies within the second, and their distance in radians. Edges are
// geodesic, boundaries belong to the shapes, and the smaller side of a ring is its inside.
#include <s2/mutable_s2shape_index.h>
#include <s2/s2boolean_operation.h>
#include <s2/s2closest_edge_query.h>
#include <s2/s2latlng.h>
#include <s2/s2lax_polyline_shape.h>
#include <s2/s2loop.h>
#include <s2/s2point_vector_shape.h>
#include <s2/s2polygon.h>

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace {

using Points = std::vector<S2Point>;

// Reads a geometry of two dimensions into an index.
class Reader {
 public:
  Reader(const std::string& text, MutableS2ShapeIndex* index)
      : next_(text.c_str()), index_(index) {}

  void ReadGeometry() {
    const std::string kind = Word();
    if (kind == "POINT") {
      ReadPoint();
    } else if (kind == "LINESTRING") {
      ReadLine();
    } else if (kind == "POLYGON") {
      ReadPolygon();
    } else if (kind == "MULTIPOINT") {
      ReadList([this] { Peek() == '(' ? ReadPoint() : AddPoint(ReadPosition()); });
    } else if (kind == "MULTILINESTRING") {
      ReadList([this] { ReadLine(); });
    } else if (kind == "MULTIPOLYGON") {
      ReadList([this] { ReadPolygon(); });
    } else if (kind == "GEOMETRYCOLLECTION") {
      ReadList([this] { ReadGeometry(); });
    } else {
      Fail("an unknown kind");
    }
  }

 private:
  [[noreturn]] static void Fail(const char* reason) {
    std::fprintf(stderr, "s2-oracle: %s\n", reason);
    std::exit(65);
  }

  char Peek() {
    while (*next_ == ' ') ++next_;
    return *next_;
  }

  void Expect(char wanted) {
    if (Peek() != wanted) Fail("no valid WKT");
    ++next_;
  }

  std::string Word() {
    Peek();
    const char* start = next_;
    while (*next_ >= 'A' && *next_ <= 'Z') ++next_;
    return std::string(start, next_);
  }

  template <typename Body>
  void ReadList(Body body) {
    Expect('(');
    body();
    while (Peek() == ',') {
      ++next_;
      body();
    }
    Expect(')');
  }

  double ReadNumber() {
    Peek();
    char* end = nullptr;
    const double number = std::strtod(next_, &end);
    if (end == next_) Fail("no number");
    next_ = end;
    return number;
  }

  S2Point ReadPosition() {
    const double longitude = ReadNumber();
    const double latitude = ReadNumber();
    return S2LatLng::FromDegrees(latitude, longitude).ToPoint();
  }

  Points ReadPositions() {
    Points points;
    ReadList([&] { points.push_back(ReadPosition()); });
    return points;
  }

  void AddPoint(S2Point point) {
    index_->Add(std::make_unique<S2PointVectorShape>(Points{point}));
  }

  void ReadPoint() {
    for (const S2Point& point : ReadPositions()) AddPoint(point);
  }

  void ReadLine() { index_->Add(std::make_unique<S2LaxPolylineShape>(ReadPositions())); }

  void ReadPolygon() {
    std::vector<std::unique_ptr<S2Loop>> loops;
    ReadList([&] {
      Points points = ReadPositions();
      points.pop_back();
      auto loop = std::make_unique<S2Loop>(points, S2Debug::DISABLE);
      loop->Normalize();
      loops.push_back(std::move(loop));
    });
    auto polygon = std::make_unique<S2Polygon>();
    polygon->set_s2debug_override(S2Debug::DISABLE);
    polygon->InitNested(std::move(loops));
    index_->Add(std::make_unique<S2Polygon::OwningShape>(std::move(polygon)));
  }

  const char* next_;
  MutableS2ShapeIndex* index_;
};

}  // namespace

int main() {
  S2BooleanOperation::Options closed;
  closed.set_polygon_model(S2BooleanOperation::PolygonModel::CLOSED);
  closed.set_polyline_model(S2BooleanOperation::PolylineModel::CLOSED);
  std::string line;
  while (std::getline(std::cin, line)) {
    const size_t tab = line.find('\t');
    if (tab == std::string::npos) return 65;
    MutableS2ShapeIndex one, other;
    Reader(line.substr(0, tab), &one).ReadGeometry();
    Reader(line.substr(tab + 1), &other).ReadGeometry();
    S2ClosestEdgeQuery query(&one);
    S2ClosestEdgeQuery::ShapeIndexTarget target(&other);
    const double distance = query.GetDistance(&target).radians();
    std::printf("%d %d %.17g\n", distance == 0, S2BooleanOperation::Contains(other, one, closed),
                distance);
  }
  return 0;
}
