#!/usr/bin/env python3
"""Compares the statements of `cairn sql` with the answers of `cairn query`, in DuckDB, SedonaDB or PostGIS.

usage: check.py --cairn PATH --engine duckdb|sedona|postgis --data DIR [--truth DIR] [--groups] [--random N] [--seed S]
                [--connection CONNINFO] [--datasets NAME,...]

The queries are those of a truth folder (circles, boxes, polygons, combinations, nearest), random predicates, and with
--groups the figures of the groups of every column, next to `cairn stats`. A statement without remarks must return
exactly the rows of the query; one that is a superset must return at least these. Needs the Python package duckdb,
sedonadb or psycopg2. Exit 0 without differences.
"""
import argparse, atexit, json, os, random, shutil, subprocess, sys, tempfile

KEYS = {"cities1000": "id", "airports": "icao", "quakes": "id", "graticule5": "id", "earthquakes_week": "id"}
ENDINGS = {"earthquakes_week": ".geojson"}
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
        types = {name: "STRUCT(latitude DOUBLE, longitude DOUBLE)" if kind == "point" else TYPES["duckdb"][kind]
                 for name, kind in columns}
        self.connection.execute(
            f"CREATE TABLE \"{table}\" AS SELECT {read} FROM read_json('{path}', format = 'newline_delimited', columns = {types})")

    def _value(self, name, kind):
        return f'ST_Point("{name}".longitude, "{name}".latitude) AS "{name}"' if kind == "point" else f'"{name}"'

    def rows(self, statement):
        return self.connection.execute(statement).fetchall()


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
                read.append(f"ST_Point(`{name}_longitude`, `{name}_latitude`) AS `{name}`")
            else:
                arrays.append(pyarrow.array([row[name] for row in rows], types[kind]))
                names.append(name)
                read.append(f"CAST(`{name}` AS TIMESTAMP) AS `{name}`" if kind == "date" else f"`{name}`")
        self.context.create_data_frame(pyarrow.table(arrays, names)).to_view(f"{table}_read", overwrite=True)
        self.context.sql(f"SELECT {', '.join(read)} FROM `{table}_read`").to_memtable().to_view(table, overwrite=True)

    def rows(self, statement):
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
            f'"{name}" ' + ("geometry(Point, 4326)" if kind == "point" else TYPES["postgis"][kind]) for name, kind in columns)
        self.cursor.execute(f'DROP TABLE IF EXISTS "{table}"; CREATE TABLE "{table}" ({definitions})')
        from psycopg2.extras import execute_values
        rows = []
        for line in open(path):
            row = json.loads(line)
            rows.append([self._point(row[name]) if kind == "point" else row[name] for name, kind in columns])
        execute_values(self.cursor, f'INSERT INTO "{table}" VALUES %s', rows, page_size=1000)
        for name, kind in columns:
            if kind == "point":
                self.cursor.execute(f'CREATE INDEX ON "{table}" USING gist ("{name}")')
        self.cursor.execute(f'ANALYZE "{table}"')

    def _point(self, value):
        return value and f"SRID=4326;POINT({value['longitude']!r} {value['latitude']!r})"

    def rows(self, statement):
        self.cursor.execute(statement)
        return self.cursor.fetchall()


class Check:
    def __init__(self, options):
        self.options = options
        self.engine = {"duckdb": DuckDB, "sedona": Sedona, "postgis": PostGIS}[options.engine](options)
        self.folder = tempfile.mkdtemp(prefix="cairn-sql-")
        atexit.register(shutil.rmtree, self.folder, True)
        self.stores, self.tally, self.differences = {}, {}, []

    def run(self, *words):
        outcome = subprocess.run([self.options.cairn, *map(str, words)], capture_output=True, text=True)
        if outcome.returncode:
            raise RuntimeError(outcome.stderr.strip()[:300])
        return outcome.stdout

    def store(self, data):
        """Imports a data set into a store, and its rows into a table of the engine."""
        if data not in self.stores:
            store, rows = f"{self.folder}/{data}.cairn", f"{self.folder}/{data}.jsonl"
            self.run("import", store, f"{self.options.data}/{data}{ENDINGS.get(data, '.csv')}", "--class", data, "--key", KEYS[data])
            columns = json.loads(self.run("schema", store, "--json"))["classes"][0]["columns"]
            self.run("export", store, data, "--output", rows)
            self.engine.load(data, [(column["name"], column["type"]) for column in columns], rows)
            self.stores[data] = (store, columns)
        return self.stores[data][0]

    def compare(self, kind, data, words):
        store, key = self.store(data), KEYS[data]
        statement = self.run("sql", store, data, *words, "--select", key, "--dialect", self.engine.name)
        isSuperset = statement.startswith("--")
        expected = self.run("query", store, data, *words, "--select", key, "--format", "jsonl").splitlines()
        expected = [str(json.loads(line)[key]) for line in expected]
        entry = self.tally.setdefault(kind, {"exact": 0, "superset": 0, "rows": 0, "excess": 0})
        try:
            found = [str(row[0]) for row in self.engine.rows(plain(statement))]
            missing, excess = set(expected) - set(found), set(found) - set(expected)
            problem = f"{len(missing)} rows are missing" if missing else len(set(found)) != len(found) and "a row came twice"
            if not isSuperset and excess:
                problem = f"{len(excess)} rows too many"
            entry["superset" if isSuperset else "exact"] += 1
            entry["rows"] += len(expected)
            entry["excess"] += len(excess)
        except Exception as error:
            problem = f"{type(error).__name__}: {str(error)[:300]}"
        if problem:
            self.differences.append(f"{kind} {data} {' '.join(map(str, words))[:300]}: {problem}\n    {statement[:2000]}")

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
        for name in ("circles", "boxes", "polygons"):
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
        for item in self.items("nearest"):
            if item["dataset"] in chosen:
                longitude, latitude = item["center"]
                words = [f"--near={latitude!r},{longitude!r}", "--sort", "distance", "--limit", item["k"]]
                self.compare("nearest", item["dataset"], words)

    # The figures of groups.

    def groups(self):
        for data in self.options.datasets.split(","):
            store = self.store(data)
            columns = self.stores[data][1]
            keys = [column["name"] for column in columns if column["type"] in ("string", "bool", "int")]
            numbers = [column["name"] for column in columns if column["type"] in ("int", "double")]
            for by in keys:
                for of in numbers:
                    self.compare_groups(data, store, ["--by", by, "--of", of])

    def compare_groups(self, data, store, words):
        statement = self.run("sql", store, data, *words, "--dialect", self.engine.name)
        expected = [json.loads(line) for line in self.run("stats", store, data, *words, "--format", "jsonl").splitlines()]
        entry = self.tally.setdefault("groups", {"exact": 0, "superset": 0, "rows": 0, "excess": 0})
        entry["exact"] += 1
        entry["rows"] += len(expected)
        figures = [[row[name] for name in ("count", "sum", "min", "max", "avg")] for row in expected]
        try:
            found = [row[1:] for row in self.engine.rows(plain(statement))]
            problem = None if len(found) == len(figures) else f"{len(found)} groups, not {len(figures)}"
            for row, other in zip(found, figures):
                if not all(same(a, b) for a, b in zip(row, other)):
                    problem = problem or f"{row} differs from {other}"
        except Exception as error:
            problem = f"{type(error).__name__}: {str(error)[:300]}"
        if problem:
            self.differences.append(f"groups {data} {' '.join(words)}: {problem}\n    {statement[:2000]}")

    # Random predicates.

    def random(self, count, seed):
        source = random.Random(seed)
        for _ in range(count):
            data = source.choice(self.options.datasets.split(","))
            store = self.store(data)
            columns = [column for column in self.stores[data][1] if column["type"] in TYPES["postgis"] or column["type"] == "point"]
            rows = [json.loads(line) for line in open(f"{self.folder}/{data}.jsonl")] if not hasattr(self, data) else getattr(self, data)
            setattr(self, data, rows)
            self.compare("random", data, [predicate(source, columns, rows, depth=2)])

    def report(self):
        for kind, entry in sorted(self.tally.items()):
            print(f"{kind}: {entry['exact']} exact, {entry['superset']} supersets; {entry['rows']} rows, {entry['excess']} more to decide")
        for difference in self.differences[:20]:
            print("DIFFERENCE", difference)
        print(f"{self.engine.name}: {len(self.differences)} differences")
        return 1 if self.differences else 0


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
    parser.add_argument("--groups", action="store_true")
    parser.add_argument("--random", type=int, default=0)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    parser.add_argument("--connection", default="")
    parser.add_argument("--datasets", default=",".join(KEYS))
    options = parser.parse_args()
    check = Check(options)
    if options.truth:
        check.truth()
    if options.groups:
        check.groups()
    if options.random:
        print(f"seed {options.seed}")
        check.random(options.random, options.seed)
    sys.exit(check.report())


main()
