"""Makes the files of this folder with pyarrow 26: python make.py, in this folder."""
import base64, datetime as dt, decimal, json, struct, uuid
import numpy as np, pyarrow as pa

D = decimal.Decimal
N = 5


def wkb(x, y):
    return struct.pack("<BIdd", 1, 1, x, y)


def field(name, kind, extension, notes="{}"):
    return pa.field(name, kind, metadata={"ARROW:extension:name": extension, "ARROW:extension:metadata": notes})


texts = ["a", None, "", "höher", "x" * 30]
blobs = [b"a", None, b"", b"\x00\xff", b"x" * 30]
lists = [[1, None, 2], None, [], [3], [4, 5]]
days = [dt.date(2001, 1, 1), None, dt.date(1969, 12, 31), dt.date(2024, 2, 29), dt.date(1, 1, 1)]
columns = {
    "i8": pa.array([-3, None, 127, 0, 1], pa.int8()),
    "u8": pa.array([200, None, 255, 0, 1], pa.uint8()),
    "i16": pa.array([-300, None, 1, 0, 1], pa.int16()),
    "u16": pa.array([65535, None, 1, 0, 1], pa.uint16()),
    "i32": pa.array([-(2**31), None, 1, 0, 1], pa.int32()),
    "u32": pa.array([2**32 - 1, None, 1, 0, 1], pa.uint32()),
    "i64": pa.array([-(2**63), None, 2**63 - 1, 0, 1], pa.int64()),
    "u64": pa.array([5, None, 2**63 - 1, 0, 1], pa.uint64()),
    "half": pa.array(np.array([1.5, -2, 0.25, 0, 65504], dtype=np.float16)),
    "f32": pa.array([1.5, None, 0.25, 0, 1], pa.float32()),
    "f64": pa.array([1.1, None, 0.25, 0, 1], pa.float64()),
    "b": pa.array([True, None, False, True, True]),
    "s": pa.array(texts), "ls": pa.array(texts, pa.large_string()), "sv": pa.array(texts, pa.string_view()),
    "bin": pa.array(blobs), "lbin": pa.array(blobs, pa.large_binary()), "bv": pa.array(blobs, pa.binary_view()),
    "fb": pa.array([b"abc", None, b"def", b"ghi", b"jkl"], pa.binary(3)),
    "d32": pa.array(days, pa.date32()), "d64": pa.array(days, pa.date64()),
    "t32": pa.array([dt.time(1, 2, 3), None, dt.time(0), dt.time(23, 59, 59), dt.time(0, 0, 1)], pa.time32("s")),
    "t64": pa.array([dt.time(1, 2, 3, 5), None, dt.time(0), dt.time(23, 59, 59, 999999), dt.time(0, 0, 1)], pa.time64("us")),
    "ts": pa.array([0, None, -1, 1700000000000000, 1], pa.timestamp("us", "UTC")),
    "tsl": pa.array([0, None, -1, 1700000000, 1], pa.timestamp("s")),
    "dec": pa.array([D("1.25"), None, D("-0.01"), D("0"), D("99999.99")], pa.decimal128(7, 2)),
    "decl": pa.array([D("12345678901234567890.125"), None, D("-0.001"), D("0"), D("1")], pa.decimal128(38, 3)),
    "dec256": pa.array([D("123456789012345678901234567890123456789012345.5"), None, D("-0.1"), D("0"), D("1")], pa.decimal256(60, 1)),
    "dec32": pa.array([D("1.25"), None, D("-0.01"), D("0"), D("9.99")], pa.decimal32(5, 2)),
    "dec64": pa.array([D("1.25"), None, D("-0.01"), D("0"), D("9.99")], pa.decimal64(18, 2)),
    "li": pa.array(lists, pa.list_(pa.int32())), "lli": pa.array(lists, pa.large_list(pa.int32())),
    "lv": pa.array(lists, pa.list_view(pa.int32())), "llv": pa.array(lists, pa.large_list_view(pa.int32())),
    "fl": pa.array([[1, 2], None, [3, 4], [5, None], [6, 7]], pa.list_(pa.int32(), 2)),
    "st": pa.array([{"a": 1, "b": "x"}, None, {"a": None, "b": "y"}, {"a": 2, "b": None}, {"a": 3, "b": "z"}]),
    "ls2": pa.array([[{"a": ["x"]}], None, [], [{"a": []}, {"a": None}], [{"a": ["y", "z"]}]]),
    "mp": pa.array([[("k", 1)], None, [], [("a", None)], [("x", 2), ("y", 3)]], pa.map_(pa.string(), pa.int64())),
    "dic": pa.array(["red", None, "blue", "red", "green"]).dictionary_encode(),
    "dicd": pa.DictionaryArray.from_arrays(pa.array([0, None, 1, 0, 1], pa.int8()), pa.array([1.5, None])),
    "ldic": pa.array([["a"], None, ["b", "a"], [], ["c"]], pa.list_(pa.dictionary(pa.int32(), pa.string()))),
    "ree": pa.RunEndEncodedArray.from_arrays(pa.array([2, 3, 5], pa.int32()), pa.array(["p", None, "q"])),
    "nul": pa.nulls(N),
    "uid": pa.array([uuid.UUID(int=i + 1).bytes if i != 1 else None for i in range(N)], pa.uuid()),
}
# Their values as text have no form in Python that could be compared.
spans = {
    "du": (pa.array([1500, None, -1, 0, 86400000], pa.duration("ms")), ["PT1.5S", None, "-PT0.001S", "PT0S", "PT86400S"]),
    "iv": (
        pa.array([pa.MonthDayNano(x) if x else None for x in ([1, 2, 3000000000], None, [0, 0, -1], [0, 0, 0], [1, 1, 1])]),
        ["P1M2DT3S", None, "P0M0DT-0.000000001S", "P0M0DT0S", "P1M1DT0.000000001S"],
    ),
}
epoch = dt.datetime(2001, 1, 1, tzinfo=dt.timezone.utc)


def expected(value, kind):
    if value is None:
        return None
    if pa.types.is_timestamp(kind):
        return repr((value.replace(tzinfo=dt.timezone.utc) - epoch) / dt.timedelta(seconds=1))
    if pa.types.is_date(kind):
        return repr(float((value - epoch.date()).days * 86400))
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, dict) or isinstance(value, list):
        value = dict(value) if pa.types.is_map(kind) else value
        return json.dumps(value, separators=(",", ":"))
    if pa.types.is_decimal(kind) and kind.precision <= 15:
        return repr(float(value))
    return value if isinstance(value, str) else repr(value) if isinstance(value, float) else str(value)


def plain(value, kind):
    return "{}" if value == [] and pa.types.is_map(kind) else expected(value, kind)


points = pa.array([wkb(8 + i, 47 + i) for i in range(N)])
names = list(columns) + list(spans)
arrays = list(columns.values()) + [array for array, _ in spans.values()]
geometry = field("geometry", pa.binary(), "geoarrow.wkb", '{"crs":"EPSG:4326"}')
schema = pa.schema([pa.field(name, array.type) for name, array in zip(names, arrays)] + [geometry])
table = pa.table(arrays + [points], schema=schema)
rows = {name: [plain(x, array.type) for x in array.to_pylist()] for name, array in columns.items()}
rows |= {name: texts for name, (_, texts) in spans.items()}
rows["geometry"] = [base64.b64encode(x).decode() for x in points.to_pylist()]
json.dump(rows, open("types.json", "w"), ensure_ascii=False, indent=0)


def write(name, table, size=None, **options):
    make = pa.ipc.new_file if name.endswith(".arrow") else pa.ipc.new_stream
    with pa.OSFile(name, "wb") as f, make(f, table.schema, options=pa.ipc.IpcWriteOptions(**options)) as w:
        w.write_table(table, max_chunksize=size)


write("types.arrow", table, 2)
write("types.arrows", table, 2)
write("types-lz4.arrow", table, 3, compression="lz4")
write("types-zstd.arrows", table, 3, compression="zstd")
long = pa.table([pa.concat_arrays([a] * 8) if n not in ("ree",) else
                 pa.RunEndEncodedArray.from_arrays(pa.array(range(5, 41, 5), pa.int64()), pa.array(list("abcdefgh")))
                 for n, a in zip(names, arrays) if n not in ("dic", "dicd", "ldic")] + [pa.concat_arrays([points] * 8)],
                schema=pa.schema([pa.field("ree", pa.run_end_encoded(pa.int64(), pa.string())) if f.name == "ree" else f
                                  for f in schema if f.name not in ("dic", "dicd", "ldic")]))
write("long.arrow", long)
write("long-zstd.arrows", long, compression="zstd")
write("legacy.arrows", table.select(["i32", "s", "geometry"]), 2, use_legacy_format=True)
write("empty.arrow", table.select(["i32", "s", "geometry"]).slice(0, 0))
pa.ipc.new_stream("no-batch.arrows", table.select(["i32", "geometry"]).schema).close()

words = pa.schema([pa.field("c", pa.dictionary(pa.int32(), pa.string())), geometry])


def batch(indexes, values):
    array = pa.DictionaryArray.from_arrays(pa.array(indexes, pa.int32()), values)
    return pa.record_batch([array, points.slice(0, len(indexes))], schema=words)


batches = [batch([0, 1], ["a", "b"]), batch([2, 0], ["a", "b", "c"]), batch([0, 1], ["x", "y"])]
for name, deltas in (("delta.arrows", True), ("replaced.arrows", False)):
    with pa.OSFile(name, "wb") as f, pa.ipc.new_stream(f, words, options=pa.ipc.IpcWriteOptions(emit_dictionary_deltas=deltas)) as w:
        for b in batches:
            w.write_batch(b)
with pa.OSFile("delta.arrow", "wb") as f, pa.ipc.new_file(f, words, options=pa.ipc.IpcWriteOptions(emit_dictionary_deltas=True)) as w:
    for b in batches[:2]:
        w.write_batch(b)

union = pa.UnionArray.from_dense(pa.array([0, 1], pa.int8()), pa.array([0, 0], pa.int32()), [pa.array([1]), pa.array(["a"])])
write("union.arrow", pa.table([union, pa.array([7, 8]), points.slice(0, 2)], schema=pa.schema([pa.field("u", union.type), pa.field("after", pa.int64()), geometry])))

position = pa.struct([("x", pa.float64()), ("y", pa.float64()), ("z", pa.float64())])


def line(*positions):
    return [{"x": float(x), "y": float(y), "z": 1.5} for x, y in positions]


ring = line((0, 0), (1, 0), (1, 1), (0, 0))
shapes = {
    "point": (position, [*line((8, 47)), None, *line((9, 48))]),
    "linestring": (pa.list_(position), [line((0, 0), (1, 1)), None, line((2, 2), (3, 3), (4, 4))]),
    "polygon": (pa.list_(pa.list_(position)), [[ring], None, [ring]]),
    "multipoint": (pa.list_(position), [line((0, 0), (1, 1)), None, line((2, 2))]),
    "multilinestring": (pa.list_(pa.list_(position)), [[line((0, 0), (1, 1)), line((2, 2), (3, 3))], None, [line((2, 2), (3, 3))]]),
    "multipolygon": (pa.list_(pa.list_(pa.list_(position))), [[[ring], [line((5, 5), (6, 5), (6, 6), (5, 5))]], None, [[ring]]]),
}


def interleaved(value):
    if isinstance(value, dict):
        return [value["x"], value["y"], value["z"]]
    return None if value is None else [interleaved(x) for x in value]


def interleaved_type(kind):
    return pa.list_(pa.field("xyz", pa.float64()), 3) if kind == position else pa.list_(interleaved_type(kind.value_type))


for name, (kind, values) in shapes.items():
    ids = pa.array([1, 2, 3])
    write(f"{name}.arrow", pa.table([ids, pa.array(values, kind)], schema=pa.schema([("id", pa.int64()), field("geometry", kind, "geoarrow." + name, '{"crs":"OGC:CRS84"}')])))
    kind = interleaved_type(kind)
    write(f"{name}-interleaved.arrow", pa.table([ids, pa.array([interleaved(v) for v in values], kind)], schema=pa.schema([("id", pa.int64()), field("geometry", kind, "geoarrow." + name)])))
write("wkt.arrow", pa.table([pa.array([1, 2]), pa.array(["POINT (8 47)", "LINESTRING (0 0, 1 1)"])], schema=pa.schema([("id", pa.int64()), field("geometry", pa.string(), "geoarrow.wkt")])))

import geopandas, shapely

towns = geopandas.GeoDataFrame({"name": ["a", "b"]}, geometry=[shapely.Point(2600000, 1200000), shapely.Point(2700000, 1250000)], crs="EPSG:2056")
towns.to_feather("geopandas.feather")
write("geopandas.arrows", pa.table(towns.to_arrow(index=False)))
write("geopandas-native.arrows", pa.table(towns.to_arrow(index=False, geometry_encoding="geoarrow")))
