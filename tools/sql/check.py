#!/usr/bin/env python3
"""Compares the statements of `cairn sql` with the answers of `cairn query`, in DuckDB, SedonaDB or PostGIS.

usage: check.py --cairn PATH --engine duckdb|sedona|postgis --data DIR [--truth DIR] [--geometry DIR] [--groups]
                [--idiomatic] [--random N] [--seed S] [--connection CONNINFO] [--datasets NAME,...] [--timeout SECONDS] [--pairs N]

The queries are those of a truth folder (circles, boxes, polygons, combinations with their figures, nearest), those of
a truth folder of geometries (relations, distances, joins), random predicates, and with --groups the figures of the
groups of every column, next to `cairn stats`. A statement without remarks must return exactly the rows of the query;
one that is a superset must return at least these. With --idiomatic, the rows that a statement returns in the functions
of the engine are only counted, where a remark says that they differ. A query that a dialect refuses is listed with the reason. Needs the
Python packages duckdb, duckdb-extensions and duckdb-extension-spatial, or sedonadb, or psycopg2. Exit 0 without
differences.
"""
import argparse, atexit, collections, gzip, json, os, random, re, shutil, struct, subprocess, sys, tempfile, threading

KEYS = {"cities1000": "id", "airports": "icao", "quakes": "id", "graticule5": "id", "earthquakes_week": "id",
        "gb_postcodes": "postcode"}
# The data set of the large queries, which has too many rows for random predicates.
LARGE = "gb_postcodes"
ENDINGS = {"earthquakes_week": ".geojson", "gb_postcodes": ".csv.gz"}
GEOMETRIES = ("geometry", "lineString", "polygon")
TYPES = {
    "duckdb": {"int": "BIGINT", "double": "DOUBLE", "string": "VARCHAR", "date": "TIMESTAMPTZ", "bool": "BOOLEAN"},
    "sedona": {"int": "BIGINT", "double": "DOUBLE", "string": "STRING", "date": "TIMESTAMP", "bool": "BOOLEAN"},
    "postgis": {"int": "bigint", "double": "float8", "string": "text", "date": "timestamptz", "bool": "boolean"},
}


class DuckDB:
    name = "duckdb"

    def __init__(self, options):
        import duckdb
        self.connection = duckdb.connect()
        self.connection.execute("LOAD spatial" if self._has_spatial() else "INSTALL spatial; LOAD spatial")

    def _has_spatial(self):
        from importlib.util import find_spec
        if find_spec("duckdb_extensions"):
            from duckdb_extensions import import_extension
            import_extension("spatial", con=self.connection)
        return True

    def load(self, table, columns, path):
        read = ", ".join(self._value(name, kind) for name, kind in columns)
        types = {name: self._type(kind) for name, kind in columns}
        self.connection.execute(
            f"CREATE TABLE \"{table}\" AS SELECT {read} FROM "
            f"read_json('{path}', format = 'newline_delimited', maximum_object_size = 100000000, columns = {types})")

    def _type(self, kind):
        if kind in GEOMETRIES:
            return "VARCHAR"
        return "STRUCT(latitude DOUBLE, longitude DOUBLE)" if kind == "point" else TYPES["duckdb"][kind]

    def _value(self, name, kind):
        if kind in GEOMETRIES:
            return f'ST_GeomFromHEXWKB("{name}") AS "{name}"'
        return f'ST_Point("{name}".longitude, "{name}".latitude) AS "{name}"' if kind == "point" else f'"{name}"'

    def rows(self, statement, seconds):
        timer = threading.Timer(seconds, self.connection.interrupt)
        timer.start()
        try:
            return self.connection.execute(statement).fetchall()
        finally:
            timer.cancel()


class Sedona:
    name = "sedona"

    def __init__(self, options):
        import sedonadb
        self.context = sedonadb.connect()

    def load(self, table, columns, path):
        import pyarrow
        rows = [json.loads(line) for line in open(path)]
        types = {"int": pyarrow.int64(), "double": pyarrow.float64(), "string": pyarrow.string(), "bool": pyarrow.bool_(),
                 "date": pyarrow.string()}
        arrays, names, read = [], [], []
        for name, kind in columns:
            if kind == "point":
                for part in ("longitude", "latitude"):
                    arrays.append(pyarrow.array([(row[name] or {}).get(part) for row in rows], pyarrow.float64()))
                    names.append(f"{name}_{part}")
                read.append(f"ST_SetSRID(ST_Point(`{name}_longitude`, `{name}_latitude`), 4326) AS `{name}`")
            elif kind in GEOMETRIES:
                arrays.append(pyarrow.array([row[name] and bytes.fromhex(row[name]) for row in rows], pyarrow.binary()))
                names.append(name)
                read.append(f"ST_SetSRID(ST_GeomFromWKB(`{name}`), 4326) AS `{name}`")
            else:
                arrays.append(pyarrow.array([row[name] for row in rows], types[kind]))
                names.append(name)
                read.append(f"CAST(`{name}` AS TIMESTAMP) AS `{name}`" if kind == "date" else f"`{name}`")
        self.context.create_data_frame(pyarrow.table(arrays, names)).to_view(f"{table}_read", overwrite=True)
        self.context.sql(f"SELECT {', '.join(read)} FROM `{table}_read`").to_memtable().to_view(table, overwrite=True)

    def rows(self, statement, seconds):
        rows = self.context.sql(statement.rstrip().rstrip(";")).to_arrow_table()
        return list(zip(*(column.to_pylist() for column in rows.columns)))


class PostGIS:
    name = "postgis"

    def __init__(self, options):
        import psycopg2
        self.connection = psycopg2.connect(options.connection)
        self.connection.autocommit = True
        self.cursor = self.connection.cursor()

    def load(self, table, columns, path):
        definitions = ", ".join(
            f'"{name}" ' + self._type(kind) for name, kind in columns)
        self.cursor.execute(f'DROP TABLE IF EXISTS "{table}"; CREATE TABLE "{table}" ({definitions})')
        from psycopg2.extras import execute_values
        rows = []
        for line in open(path):
            row = json.loads(line)
            rows.append([self._point(row[name]) if kind == "point" else self._geometry(row[name])
                         if kind in GEOMETRIES else row[name] for name, kind in columns])
        execute_values(self.cursor, f'INSERT INTO "{table}" VALUES %s', rows, page_size=1000)
        for name, kind in columns:
            if kind == "point" or kind in GEOMETRIES:
                self.cursor.execute(f'CREATE INDEX ON "{table}" USING gist ("{name}")')
        self.cursor.execute(f'ANALYZE "{table}"')

    def _type(self, kind):
        if kind in GEOMETRIES:
            return "geometry(Geometry, 4326)"
        return "geometry(Point, 4326)" if kind == "point" else TYPES["postgis"][kind]

    def _geometry(self, value):
        """The hexadecimal well-known binary with the number of the coordinate system."""
        return value and value[:2] + struct.pack("<I", int.from_bytes(bytes.fromhex(value[2:10]), "little") | 0x20000000).hex() \
            + struct.pack("<I", 4326).hex() + value[10:]

    def _point(self, value):
        return value and f"SRID=4326;POINT({value['longitude']!r} {value['latitude']!r})"

    def rows(self, statement, seconds):
        self.cursor.execute(f"SET statement_timeout = '{seconds}s'")
        self.cursor.execute(statement)
        return self.cursor.fetchall()


class Check:
    def __init__(self, options):
        self.options = options
        self.style = [] if options.idiomatic else ["--exact"]
        self.engine = {"duckdb": DuckDB, "sedona": Sedona, "postgis": PostGIS}[options.engine](options)
        self.folder = tempfile.mkdtemp(prefix="cairn-sql-")
        atexit.register(shutil.rmtree, self.folder, True)
        self.counts = {}
        self.stores, self.tally, self.differences, self.refused = {}, {}, [], collections.Counter()

    def run(self, *words):
        outcome = subprocess.run([self.options.cairn, *map(str, words)], capture_output=True, text=True)
        if outcome.returncode:
            raise RuntimeError(outcome.stderr.strip()[:300])
        return outcome.stdout

    def statement(self, *words):
        """A statement of the command; nothing, and an entry in the list, if the dialect refuses it."""
        outcome = subprocess.run([self.options.cairn, *map(str, words)], capture_output=True, text=True)
        if outcome.returncode == 0:
            return outcome.stdout
        reason = re.sub(r"'[^']*'", "'…'", outcome.stderr.strip().split("\n")[0].partition(": ")[2])
        self.refused[reason[:200]] += 1
        return None

    def store(self, data):
        """Imports a data set into a store, and its rows into a table of the engine."""
        if data not in self.stores:
            self.load(data, f"{self.options.data}/{data}{ENDINGS.get(data, '.csv')}", KEYS[data], f"{self.folder}/{data}.cairn")
        return self.stores[data][0]

    def load(self, data, source, key, store, options=()):
        if source.endswith(".gz"):
            with gzip.open(source) as packed, open(f"{self.folder}/{data}.csv", "wb") as plain:
                shutil.copyfileobj(packed, plain)
            source = plain.name
        rows = f"{self.folder}/{data}.jsonl"
        self.run("import", store, source, "--class", data, "--key", key, "--quiet", *options)
        classes = json.loads(self.run("schema", store, "--json"))["classes"]
        columns = next(one for one in classes if one["name"] == data)["columns"]
        self.run("export", store, data, "--output", rows)
        names = [column["name"] for column in columns if column["type"] in GEOMETRIES]
        if names:
            lines = [json.loads(line) for line in open(rows)]
            with open(rows, "w") as file:
                for line in lines:
                    line.update({name: line[name] and well_known_binary(line[name]).hex() for name in names})
                    file.write(json.dumps(line) + "\n")
        self.engine.load(data, [(column["name"], column["type"]) for column in columns], rows)
        self.counts[data] = sum(1 for _ in open(rows))
        self.stores[data] = (store, columns)

    def compare(self, kind, data, words, key=None):
        store, key = self.store(data), key or KEYS[data]
        statement = self.statement("sql", store, data, *words, *self.style, "--select", key, "--dialect", self.engine.name)
        if statement is None:
            return
        expected = self.run("query", store, data, *words, "--select", key, "--format", "jsonl").splitlines()
        expected = [str(json.loads(line)[key]) for line in expected]
        self.judge(kind, f"{data} {' '.join(map(str, words))[:300]}", statement, expected, lambda row: str(row[0]))

    def judge(self, kind, title, statement, expected, name):
        isSuperset, differs = statement.startswith("--"), "-- differs" in statement
        entry = self.tally.setdefault(kind, {"exact": 0, "superset": 0, "rows": 0, "missing": 0, "excess": 0})
        try:
            found = [name(row) for row in self.engine.rows(plain(statement), self.options.timeout)]
            missing, excess = set(expected) - set(found), set(found) - set(expected)
            problem = f"{len(missing)} rows are missing" if missing and not differs else len(set(found)) != len(found) and "a row came twice"
            if not isSuperset and excess:
                problem = f"{len(excess)} rows too many"
            # Without remarks, the order of a sort is that of the query.
            if not isSuperset and " ORDER BY " in statement and found != expected:
                problem = problem or "the rows are in another order"
            entry["superset" if isSuperset else "exact"] += 1
            entry["rows"] += len(expected)
            entry["excess"] += len(excess)
            entry["missing"] += len(missing)
        except Exception as error:
            problem = f"{type(error).__name__}: {str(error)[:300]}"
        if problem:
            self.differences.append(f"{kind} {title}: {problem}\n    {statement[:2000]}")

    # The queries of a truth folder.

    def area(self, item, mode):
        if item["kind"] == "circle":
            longitude, latitude = item["center"]
            return [f"--near={latitude!r},{longitude!r}", "--radius", f"{item['radius_m']!r}m"]
        if item["kind"] == "box":
            return ["--bbox=" + ",".join(map(repr, item["min"] + item["max"]))]
        path = f"{self.folder}/{item['id']}.geojson"
        with open(path, "w") as file:
            json.dump({"type": "MultiPolygon", "coordinates": item["polygons"]}, file)
        return ["--within", path, "--edges", mode]

    def items(self, name):
        with open(f"{self.options.truth}/{name}.json") as file:
            return json.load(file)["items"]

    def truth(self):
        areas = {}
        chosen = self.options.datasets.split(",")
        for name in ("circles", "boxes", "polygons", "large"):
            for item in self.items(name):
                areas[item["id"]] = item
                for mode in ("geodesic", "planar") if item["kind"] == "polygon" else ("expect",):
                    for data in item.get(mode) or {}:
                        if data in chosen:
                            kind = f"{name} {mode}" if item["kind"] == "polygon" else name
                            self.compare(kind, data, self.area(item, mode))
        for item in self.items("combos"):
            if item["dataset"] not in chosen or item["query"] not in areas:
                continue
            words = ([condition(item["where"])] if item.get("where") else [])
            words += self.area(areas[item["query"]], "geodesic" if item["mode"] == "geodesic" else "planar")
            self.compare("combinations", item["dataset"], words)
            sort = ",".join(key + (":desc" if way == "desc" else "") for key, way in item["sort"])
            self.compare("combinations, sorted", item["dataset"], words + ["--sort", sort, "--limit", item["limit"]])
            self.store(item["dataset"])
            self.compare_groups("combinations, figures", item["dataset"], words + ["--of", item["expect"]["aggregate"]["prop"]])
        for item in self.items("nearest"):
            if item["dataset"] in chosen:
                longitude, latitude = item["center"]
                words = [f"--near={latitude!r},{longitude!r}", "--sort", "distance", "--limit", item["k"]]
                self.compare("nearest", item["dataset"], words)

    # The queries of a truth folder of geometries.

    def geometry(self):
        folder = self.options.geometry
        def items(name):
            with open(f"{folder}/{name}.json", encoding="utf-8") as file:
                return json.load(file)
        # SedonaDB registers tables under names in lower case.
        classes = {name.lower(): one for name, one in items("classes").items()}
        whole = f"{self.folder}/all.cairn"
        for name, one in classes.items():
            path = f"{folder}/data/{one['file']}"
            path = path if os.path.exists(path) else f"{self.options.data}/{one['file']}"
            self.load(name, path, one["key"], whole, one.get("import", []))
        for item in items("relations")["items"]:
            words = [f"--{item['relation']}", self.shape(item), "--edges", item["edges"]]
            kind = f"{item['relation']} {item['edges']}"
            self.compare(kind, item["class"].lower(), words, classes[item["class"].lower()]["key"])
        for item in items("distance")["items"]:
            words = ([f"--near={item['near'][1]!r},{item['near'][0]!r}"] if "near" in item
                     else ["--near-shape", self.shape(item)])
            words += ["--sort", "distance", "--limit", item["k"]] if "k" in item else ["--radius", f"{item['radius_m']!r}m"]
            self.compare("nearest geometries" if "k" in item else "geometries by distance", item["class"].lower(), words,
                         classes[item["class"].lower()]["key"])
        for item in items("joins")["items"]:
            self.compare_pairs(item, whole, classes)

    def shape(self, item):
        """The file of a shape."""
        shape, path = item["shape"], f"{self.folder}/{item['id']}.geojson"
        if "ref" in shape:
            ref = shape["ref"]
            with open(f"{self.options.data}/{ref['file']}", encoding="utf-8") as file:
                geometry = next(feature["geometry"] for feature in json.load(file)["features"]
                                if feature["properties"][ref["key"]] == ref["value"])
        else:
            geometry = shape["geometry"]
        with open(path, "w") as file:
            json.dump(geometry, file)
        return path

    def compare_pairs(self, item, store, classes):
        """The pairs of a join, which are those below the groups too."""
        left, right = item["left"].lower(), item["right"].lower()
        keys = classes[left]["key"], classes[right]["key"]
        names = ("a", "b") if left == right else (left, right)
        words = ["join", store, left, right, "--on", item["on"]] + (["--as", "a,b"] if left == right else [])
        if item.get("self"):
            words.append(f"a.{keys[0]} < b.{keys[1]}")
        if "edges" in item:
            words += ["--edges", item["edges"]]
        if "radius_m" in item:
            words += ["--radius", f"{item['radius_m']!r}m"]
        if "k" in item:
            words += ["--limit", item["k"]]
        words += ["--select", f"{names[0]}.{keys[0]},{names[1]}.{keys[1]}"]
        statement = self.statement(*words, *self.style, "--sql", self.engine.name)
        if statement is None:
            return
        # DuckDB and SedonaDB join by planar conditions with an index, and compare all pairs by any other one.
        pairs = self.counts[left] * self.counts[right]
        if pairs > self.options.pairs and "ST_DWithin" not in statement:
            self.refused[f"not run: a join that compares more than {self.options.pairs} pairs one by one"] += 1
            return
        expected = [tuple(map(str, json.loads(line).values())) for line in self.run(*words, "--format", "jsonl").splitlines()]
        kind = f"joins {item['on']}" + (f" {item['edges']}" if "edges" in item else "")
        self.judge(kind, " ".join(map(str, words[2:])), statement, expected, lambda row: (str(row[0]), str(row[1])))

    # The figures of groups.

    def groups(self):
        for data in self.options.datasets.split(","):
            if data == LARGE:
                continue
            self.store(data)
            columns = self.stores[data][1]
            keys = [column["name"] for column in columns if column["type"] in ("string", "bool", "int")]
            numbers = [column["name"] for column in columns if column["type"] in ("int", "double")]
            for by in keys:
                for of in numbers:
                    self.compare_groups("groups", data, ["--by", by, "--of", of])

    def compare_groups(self, kind, data, words):
        store = self.stores[data][0]
        statement = self.statement("sql", store, data, *words, *self.style, "--dialect", self.engine.name)
        if statement is None:
            return
        expected = [json.loads(line) for line in self.run("stats", store, data, *words, "--format", "jsonl").splitlines()]
        entry = self.tally.setdefault(kind, {"exact": 0, "superset": 0, "rows": 0, "missing": 0, "excess": 0})
        entry["exact"] += 1
        entry["rows"] += len(expected)
        figures = [[row[name] for name in ("count", "sum", "min", "max", "avg")] for row in expected]
        try:
            found = [row[-5:] for row in self.engine.rows(plain(statement), self.options.timeout)]
            problem = None if len(found) == len(figures) else f"{len(found)} groups, not {len(figures)}"
            for row, other in zip(found, figures):
                if not all(same(a, b) for a, b in zip(row, other)):
                    problem = problem or f"{row} differs from {other}"
        except Exception as error:
            problem = f"{type(error).__name__}: {str(error)[:300]}"
        if problem:
            self.differences.append(f"{kind} {data} {' '.join(words)}: {problem}\n    {statement[:2000]}")

    # Random predicates.

    def random(self, count, seed):
        source = random.Random(seed)
        for _ in range(count):
            data = source.choice([name for name in self.options.datasets.split(",") if name != LARGE])
            store = self.store(data)
            columns = [column for column in self.stores[data][1] if column["type"] in TYPES["postgis"] or column["type"] == "point"]
            rows = [json.loads(line) for line in open(f"{self.folder}/{data}.jsonl")] if not hasattr(self, data) else getattr(self, data)
            setattr(self, data, rows)
            self.compare("random", data, [predicate(source, columns, rows, depth=2)])

    def report(self):
        for kind, entry in sorted(self.tally.items()):
            print(f"{kind}: {entry['exact']} exact, {entry['superset']} supersets; {entry['rows']} rows, {entry['excess']} more to decide"
                  + (f", {entry['missing']} less" if entry["missing"] else ""))
        for reason, count in self.refused.most_common():
            print(f"refused {count}: {reason}")
        for difference in self.differences[:20]:
            print("DIFFERENCE", difference)
        print(f"{self.engine.name}: {len(self.differences)} differences")
        return 1 if self.differences else 0


def well_known_binary(geometry):
    """A geometry of GeoJSON as well-known binary."""
    kinds = {"Point": 1, "LineString": 2, "Polygon": 3, "MultiPoint": 4, "MultiLineString": 5, "MultiPolygon": 6,
             "GeometryCollection": 7}
    kind, parts = geometry["type"], geometry.get("coordinates", geometry.get("geometries"))
    head = b"\1" + struct.pack("<I", kinds[kind])
    point = lambda position: struct.pack("<2d", *position[:2])
    line = lambda positions: struct.pack("<I", len(positions)) + b"".join(map(point, positions))
    if kind == "Point":
        return head + point(parts or (float("nan"), float("nan")))
    if kind == "LineString":
        return head + line(parts)
    if kind == "Polygon":
        return head + struct.pack("<I", len(parts)) + b"".join(map(line, parts))
    if kind != "GeometryCollection":
        parts = [{"type": kind[5:], "coordinates": part} for part in parts]
    return head + struct.pack("<I", len(parts)) + b"".join(map(well_known_binary, parts))


def plain(statement):
    """A statement without the remarks above it."""
    return "\n".join(line for line in statement.splitlines() if not line.startswith("--"))


def same(a, b):
    """Whether two figures are the same, but for the last digits."""
    if a is None or b is None:
        return a is b
    return abs(float(a) - float(b)) <= 1e-11 * max(abs(float(b)), 1e-300)


def text(value):
    if isinstance(value, str):
        return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"
    return "nil" if value is None else json.dumps(value)


def condition(tree):
    """A condition of the truth folder in the predicate language."""
    operation = tree["op"]
    if operation == "not":
        return f"NOT ({condition(tree['args'][0])})"
    if operation in ("and", "or"):
        return "(" + f" {operation.upper()} ".join(map(condition, tree["args"])) + ")"
    name = tree["prop"]
    if operation == "isnull":
        return f"{name} == nil"
    if operation == "notnull":
        return f"{name} != nil"
    if operation == "notempty":
        return f"({name} != nil AND {name} != '')"
    if operation == "in":
        return f"{name} IN {{{', '.join(map(text, tree['value']))}}}"
    return f"{name} {operation.upper()} {text(tree['value'])}"


def predicate(source, columns, rows, depth):
    """A random predicate, whose constants are often values of rows."""
    if depth and source.random() < 0.5:
        parts = [predicate(source, columns, rows, depth - 1) for _ in range(2)]
        return source.choice([f"({parts[0]} AND {parts[1]})", f"({parts[0]} OR {parts[1]})", f"NOT ({parts[0]})"])
    column = source.choice(columns)
    name, kind = column["name"], column["type"]
    value = source.choice(rows)[name]
    if source.random() < 0.05 or value is None:
        return f"{name} {source.choice(['==', '!='])} nil"
    if kind == "point":
        longitude, latitude = value["longitude"], value["latitude"]
        shape = source.choice([
            f"geoCircle([{longitude!r}, {latitude!r}], {source.choice([0.001, 0.02, 0.3, 2.0])})",
            f"geoBox([{longitude!r}, {max(-90, latitude - 5)!r}], [{source.uniform(-180, 180)!r}, {min(90, latitude + 9)!r}])",
            polygon(source, longitude, latitude)])
        return f"{name} IN {shape}"
    if kind == "date":
        return f"{name} {source.choice(['==', '!=', '<', '<=', '>', '>='])} {value}"
    if kind == "string" and source.random() < 0.6:
        part = value[source.randrange(len(value) + 1):][:source.randrange(4)]
        return f"{name} {source.choice(['BEGINSWITH', 'ENDSWITH', 'CONTAINS', 'LIKE'])} {text(part)}"
    if source.random() < 0.2:
        return f"{name} IN {{{', '.join(text(source.choice(rows)[name]) for _ in range(3))}}}"
    return f"{name} {source.choice(['==', '!=', '<', '<=', '>', '>='])} {text(value)}"


def polygon(source, longitude, latitude):
    size = source.choice([0.5, 5.0, 15.0])
    west, south = max(-180, longitude - size), max(-89, latitude - size)
    east, north = min(180, longitude + size), min(89, latitude + size)
    mode = source.choice(["", "[planar]"])
    return f"geoPolygon{mode}({{[{west!r},{south!r}],[{east!r},{south!r}],[{(west + east) / 2!r},{north!r}],[{west!r},{south!r}]}})"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--cairn", required=True)
    parser.add_argument("--engine", required=True, choices=["duckdb", "sedona", "postgis"])
    parser.add_argument("--data", required=True)
    parser.add_argument("--truth")
    parser.add_argument("--geometry")
    parser.add_argument("--timeout", type=int, default=300)
    parser.add_argument("--pairs", type=int, default=20_000_000)
    parser.add_argument("--groups", action="store_true")
    parser.add_argument("--idiomatic", action="store_true")
    parser.add_argument("--random", type=int, default=0)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    parser.add_argument("--connection", default="")
    parser.add_argument("--datasets", default=",".join(KEYS))
    options = parser.parse_args()
    check = Check(options)
    if options.truth:
        check.truth()
    if options.geometry:
        check.geometry()
    if options.groups:
        check.groups()
    if options.random:
        print(f"seed {options.seed}")
        check.random(options.random, options.seed)
    sys.exit(check.report())


main()
