#!/usr/bin/env python3
"""Reads a running server with other people's programs, and compares with the files that the store was exported to.

usage: check.py URL FOLDER      (see run; FOLDER has CLASS.geojson and the server's log)
"""
import csv, io, json, math, os, subprocess, sys, urllib.error, urllib.parse, urllib.request

url, folder = sys.argv[1:3]
failures = 0
CLASSES = ["cities", "quakes", "cells", "tracks"]
rows = {name: json.load(open(f"{folder}/{name}.geojson"))["features"] for name in CLASSES}


def expect(condition, text):
    global failures
    print(("ok    " if condition else "WRONG ") + text, flush=True)
    failures += not condition


def log_since(start):
    with open(f"{folder}/log") as log:
        log.seek(start)
        return log.read()


def log_end():
    return os.path.getsize(f"{folder}/log")


def number(row, name):
    return row["properties"].get(name)


def point(row):
    return row["geometry"]["coordinates"] if row["geometry"] else None


# --- GDAL


def ogr(*arguments):
    environment = dict(os.environ, OGR_OAPIF_PAGE_SIZE="1000")
    result = subprocess.run(arguments, capture_output=True, text=True, env=environment)
    if result.returncode or "ERROR" in result.stderr:
        print(result.stderr, file=sys.stderr)
        return ""
    return result.stdout


def count(*arguments):
    text = ogr("ogrinfo", "-ro", "-so", "-nomd", f"OAPIF:{url}", *arguments)
    found = [line for line in text.splitlines() if line.startswith("Feature Count: ")]
    return int(found[0].split(": ")[1]) if found else None


def check_gdal():
    listing = ogr("ogrinfo", "-ro", f"OAPIF:{url}")
    expect(all(f" {name}" in listing for name in CLASSES), "GDAL lists the classes")
    for name in CLASSES:
        expect(count(name) == len(rows[name]), f"GDAL counts {len(rows[name])} {name}")
        read = ogr("ogr2ogr", "-f", "GeoJSON", "/vsistdout/", "-lco", "COORDINATE_PRECISION=7", "-lco", "ID_GENERATE=NO",
                   f"OAPIF:{url}", name, "-oo", "PAGE_SIZE=1000")
        features = json.loads(read)["features"] if read else []
        # A height is a property here, and part of the place in an exported file.
        key = lambda row: json.dumps([plane(row["geometry"] and row["geometry"]["coordinates"]),
                                      number(row, "name") or number(row, "place")])
        expect(sorted(map(key, features)) == sorted(map(key, rows[name])), f"GDAL reads all {name} with their places")
    west, south, east, north = 5, 45, 11, 48
    inside = [row for row in rows["cities"] if point(row) and west <= point(row)[0] <= east and south <= point(row)[1] <= north]
    start = log_end()
    expect(count("cities", "-spat", "5", "45", "11", "48") == len(inside), f"GDAL finds {len(inside)} cities in a box")
    expect("bbox=5" in log_since(start), "GDAL pushes the box down")
    start = log_end()
    wanted = [row for row in rows["cities"] if number(row, "country") == "CH"]
    expect(count("cities", "-where", "country = 'CH'") == len(wanted), f"GDAL finds the {len(wanted)} cities of a country")
    expect("CH" in log_since(start), "GDAL pushes the equality down")
    start = log_end()
    wanted = [row for row in rows["cities"] if (number(row, "population") or 0) > 1_000_000]
    expect(count("cities", "-where", "population > 1000000") == len(wanted), f"GDAL finds the {len(wanted)} large cities")
    expect("filter=population" in log_since(start), "GDAL pushes the comparison down")


def plane(value):
    """The coordinates without heights, to six decimals."""
    if isinstance(value, list):
        return [plane(part) for part in (value[:2] if value and not isinstance(value[0], list) else value)]
    return value if value is None else round(float(value), 6)


# --- OWSLib


def check_owslib():
    try:
        from owslib.ogcapi.features import Features
    except ImportError:
        return expect(False, "OWSLib is not installed")
    service = Features(url)
    expect(service.links and len(service.conformance()["conformsTo"]) > 10, "OWSLib reads landing page and conformance")
    expect("openapi" in service.api(), "OWSLib reads the API definition")
    listed = [collection["id"] for collection in service.collections()["collections"]]
    expect(sorted(listed) == sorted(CLASSES), "OWSLib reads the collections")
    expect(sorted(service.feature_collections()) == sorted(CLASSES), "OWSLib takes all of them for features")
    expect(service.collection("cities")["itemType"] == "feature", "OWSLib reads a collection")
    expect("population" in service.collection_queryables("cities")["properties"], "OWSLib reads the queryables")
    page = service.collection_items("cities", limit=7)
    expect(len(page["features"]) == 7 and page["numberMatched"] == len(rows["cities"]), "OWSLib reads a page of items")
    page = service.collection_items("cities", bbox=[5, 45, 11, 48], limit=10000)
    inside = [row for row in rows["cities"] if point(row) and 5 <= point(row)[0] <= 11 and 45 <= point(row)[1] <= 48]
    expect(len(page["features"]) == len(inside), "OWSLib reads the items of a box")
    wanted = [row for row in rows["cities"] if (number(row, "population") or 0) > 1_000_000]
    page = service.collection_items("cities", filter="population > 1000000", limit=10000)
    expect(len(page["features"]) == len(wanted), "OWSLib sends a filter as CQL2 text")
    page = service.collection_items("cities", country="CH", limit=10000)
    wanted = [row for row in rows["cities"] if number(row, "country") == "CH"]
    expect(len(page["features"]) == len(wanted), "OWSLib sends a value of a property")
    item = service.collection_item("cities", str(rows["cities"][5]["properties"]["id"]))
    expect(item["properties"]["name"] == number(rows["cities"][5], "name"), "OWSLib reads one item")
    try:
        service.collection_items("cities", filter="population >")
        expect(False, "OWSLib reports a wrong filter")
    except RuntimeError as error:
        expect("expected a value" in str(error), "OWSLib reports a wrong filter")


# --- Vector tiles

EXTENT = 4096


def tile(name, z, x, y):
    with urllib.request.urlopen(f"{url}/collections/{name}/tiles/{z}/{x}/{y}.mvt") as response:
        data = response.read()
    return data


def decode(data):
    from mapbox_vector_tile import decode
    return decode(data, default_options={"y_coord_down": True})


def unit(longitude, latitude, z):
    """A place in units of the tiles of a zoom level."""
    side = EXTENT * 2 ** z
    y = math.asinh(math.tan(math.radians(latitude)))
    return (longitude + 180) / 360 * side, (1 - y / math.pi) / 2 * side


def pyramid(name, highest):
    """Yields the tiles that are not empty."""
    level = [(0, 0)]
    for z in range(highest + 1):
        below = []
        for x, y in level:
            data = tile(name, z, x, y)
            if not data:
                continue
            yield z, x, y, decode(data)[name]
            below += [(2 * x + i, 2 * y + j) for i in (0, 1) for j in (0, 1)]
        level = below


def check_points(name, identifier, highest):
    places = {}
    for row in rows[name]:
        if point(row) and abs(point(row)[1]) < 85.0511:
            places[identifier(row)] = point(row)[:2]
    sums, wrong, seen, tiles = {}, 0, {}, 0
    for z, x, y, layer in pyramid(name, highest):
        tiles += 1
        for feature in layer["features"]:
            column, row = feature["geometry"]["coordinates"]
            if "count" in feature["properties"] and "name" not in feature["properties"]:
                sums[z] = sums.get(z, 0) + feature["properties"]["count"]
                continue
            expected = unit(*places[feature["id"]], z)
            # The margin at the antimeridian shows places of the other side of the world.
            east = (expected[0] - x * EXTENT - column + EXTENT) % (EXTENT * 2 ** z) - EXTENT
            # Half a unit of rounding.
            if max(abs(east), abs(expected[1] - y * EXTENT - row)) > 0.501:
                wrong += 1
            # The margin repeats what the neighbour shows. The equator belongs to the tiles in the north.
            if x == int(expected[0] // EXTENT) and y == math.ceil(expected[1] / EXTENT) - 1:
                sums[z] = sums.get(z, 0) + 1
                seen.setdefault(z, set()).add(feature["id"])
    expect(wrong == 0, f"mapbox-vector-tile decodes {tiles} tiles of {name}; all points are where they should be")
    expect(all(sums.get(z) == len(places) for z in range(highest + 1)),
           f"each of {len(places)} {name} is shown or counted once at each zoom level: {sums}")
    expect(len(seen.get(highest, ())) == len(places), f"all {name} are shown one by one at zoom level {highest}")


def check_shapes(name, z_range, tolerance):
    """Every vertex of a tile lies on its shape, and each shape is in the tiles that it meets."""
    by_id = {row["properties"]["id"]: row["geometry"]["coordinates"] for row in rows[name]}
    tiles, wrong, shown = 0, 0, {}
    for z, x, y, layer in pyramid(name, z_range[1]):
        if z < z_range[0]:
            continue
        tiles += 1
        for feature in layer["features"]:
            shown.setdefault(z, set()).add(feature["id"])
            coordinates = by_id[feature["id"]]
            ring = [unit(*place, z) for place in (coordinates[0] if name == "cells" else coordinates)]
            for place in flat(feature["geometry"]["coordinates"]):
                px, py = place[0] + x * EXTENT, place[1] + y * EXTENT
                # Clipping makes vertices at the edge of the margin, which may lie inside an area.
                if at_edge(place[0]) or at_edge(place[1]):
                    continue
                if min(distance(px, py, a, b) for a, b in zip(ring, ring[1:])) > tolerance:
                    wrong += 1
    expect(wrong == 0, f"mapbox-vector-tile decodes {tiles} tiles of {name}; all vertices lie on their shapes")
    expect(all(len(shown[z]) == len(by_id) for z in range(z_range[0], z_range[1] + 1)),
           f"all {len(by_id)} {name} are shown from zoom level {z_range[0]}")


def at_edge(units):
    return units <= -63 or units >= EXTENT + 63


def flat(coordinates):
    if coordinates and isinstance(coordinates[0], (int, float)):
        yield coordinates
    else:
        for part in coordinates:
            yield from flat(part)


def distance(px, py, a, b):
    dx, dy = b[0] - a[0], b[1] - a[1]
    length = dx * dx + dy * dy
    t = max(0, min(1, ((px - a[0]) * dx + (py - a[1]) * dy) / length)) if length else 0
    return math.hypot(px - a[0] - t * dx, py - a[1] - t * dy)


# --- PostGIS


def psql(text, stdin=None):
    result = subprocess.run(["psql", "-qtA", "-v", "ON_ERROR_STOP=1", os.environ["CLIENTS_POSTGIS"], "-c", text],
                            input=stdin, capture_output=True, text=True)
    if result.returncode:
        raise RuntimeError(result.stderr)
    return result.stdout


def check_postgis():
    psql("CREATE EXTENSION IF NOT EXISTS postgis")
    for name, highest in [("cities", 7), ("cells", 6), ("tracks", 7)]:
        psql(f"DROP TABLE IF EXISTS {name}")
        psql(f"CREATE TABLE {name} (id bigint, g geometry)")
        lines = io.StringIO()
        writer = csv.writer(lines)
        for row in rows[name]:
            writer.writerow([row["properties"]["id"], json.dumps(row["geometry"])])
        psql(f"CREATE TABLE IF NOT EXISTS input (id bigint, g text)")
        psql("TRUNCATE input")
        psql("COPY input FROM STDIN CSV", lines.getvalue())
        psql(f"INSERT INTO {name} SELECT id, ST_SetSRID(ST_GeomFromGeoJSON(g), 4326) FROM input")
        psql(f"CREATE INDEX ON {name} USING gist (g)")
        ours, counted = {}, 0
        for z, x, y, layer in pyramid(name, highest):
            if any("count" in feature["properties"] for feature in layer["features"]):
                counted += 1
            else:
                ours[z, x, y] = {feature["id"] for feature in layer["features"]}
        psql("CREATE TABLE IF NOT EXISTS tiles (z int, x int, y int)")
        psql("TRUNCATE tiles")
        psql("COPY tiles FROM STDIN CSV", "".join(f"{z},{x},{y}\n" for z, x, y in ours))
        found = psql(f"""
            SELECT z, x, y, string_agg(id::text, ',') FROM tiles, LATERAL (SELECT id, ST_AsMVTGeom(ST_Transform(g, 3857),
            ST_TileEnvelope(z, x, y), 4096, 64) AS geom FROM {name} WHERE g &&
            ST_Transform(ST_TileEnvelope(z, x, y, margin => 64.0 / 4096), 4326)) AS t WHERE geom && ST_MakeEnvelope(-62, -62, 4158, 4158)
            GROUP BY z, x, y""")  # What reaches less than two units into the margin may be in either.
        theirs = {}
        for line in found.splitlines():
            z, x, y, ids = line.split("|")
            theirs[int(z), int(x), int(y)] = {int(id) for id in ids.split(",")}
        missing = sum(len(theirs.get(tile, set()) - ids) for tile, ids in ours.items())
        more = sum(len(ids - theirs.get(tile, set())) for tile, ids in ours.items())
        shown = sum(map(len, ours.values()))
        expect(missing == 0, f"{len(ours)} tiles of {name} show all features that ST_AsMVT does; {counted} others count rows in cells")
        print(f"note  of {shown} features in them, ST_AsMVT lacks {more}")


for check in [
    check_gdal, check_owslib,
    lambda: check_points("cities", lambda row: row["properties"]["id"], 9),
    lambda: check_shapes("cells", (5, 7), 1.5), lambda: check_shapes("tracks", (5, 7), 1.5),
] + ([check_postgis] if os.environ.get("CLIENTS_POSTGIS") else []):
    try:
        check()
    except Exception as error:
        import traceback
        traceback.print_exc()
        expect(False, f"no exception: {error}")
print(f"{failures} wrong")
sys.exit(failures > 0)
