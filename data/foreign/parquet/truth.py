"""Writes truth.json, the values that pyarrow 26 reads of the files here: python truth.py, in this folder.

A value is a text that begins with its type: i(nt), d(ouble, as bits), b(ool), s(tring), x (bytes), j (JSON of lists and groups).
Dates are doubles, in seconds since 2001. Of a file, the first 24 columns and 60 rows are kept.
"""
import base64, glob, json, struct
import pyarrow as pa
import pyarrow.parquet as parquet

EPOCH = 978307200
UNITS = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}


def bits(number):
    return "d:nan" if number != number else "d:%016x" % struct.unpack("<Q", struct.pack("<d", number))[0]


def instant(ticks, unit):
    whole, rest = divmod(abs(ticks), UNITS[unit])
    sign = -1 if ticks < 0 else 1
    return float(sign * whole - EPOCH) + float(sign * rest) / UNITS[unit]


def time_of_day(ticks, unit):
    whole, rest = divmod(ticks, UNITS[unit])
    text = "%02d:%02d:%02d" % (whole // 3600, whole // 60 % 60, whole % 60)
    digits = len(str(UNITS[unit])) - 1
    return text + ("." + ("%0*d" % (digits, rest)).rstrip("0") if rest else "")


def quoted(text):
    return json.dumps(text, ensure_ascii=False)


def number(value):
    return "null" if value != value or abs(value) == float("inf") else repr(value)


def as_json(value, kind):
    if value is None or not value.is_valid:
        return "null"
    if pa.types.is_boolean(kind):
        return "true" if value.as_py() else "false"
    if pa.types.is_integer(kind):
        return str(value.as_py())
    if pa.types.is_floating(kind):
        return number(float(value.as_py()))
    if pa.types.is_decimal(kind):
        return number(float(value.as_py())) if kind.precision <= 15 else format(value.as_py(), "f")
    if pa.types.is_string(kind):
        return quoted(value.as_py())
    if pa.types.is_binary(kind) or pa.types.is_fixed_size_binary(kind):
        return quoted(base64.b64encode(value.as_py()).decode())
    if pa.types.is_map(kind):
        pairs = []
        for pair in value.values:
            key = as_json(pair[0], pair.type[0].type)
            pairs.append((key if key[0] == '"' else quoted(key)) + ":" + as_json(pair[1], pair.type[1].type))
        return "{" + ",".join(pairs) + "}"
    if pa.types.is_list(kind):
        return "[" + ",".join(as_json(element, kind.value_type) for element in value.values) + "]"
    if pa.types.is_struct(kind):
        parts = (quoted(kind[index].name) + ":" + as_json(value[index], kind[index].type) for index in range(kind.num_fields))
        return "{" + ",".join(parts) + "}"
    raise ValueError(str(kind))


def as_text(value, kind):
    if not value.is_valid or pa.types.is_null(kind):
        return None
    if pa.types.is_boolean(kind):
        return "b:true" if value.as_py() else "b:false"
    if pa.types.is_integer(kind):
        return "i:%d" % value.as_py()
    if pa.types.is_floating(kind):
        return bits(float(value.as_py()))
    if pa.types.is_decimal(kind):
        return bits(float(value.as_py())) if kind.precision <= 15 else "s:" + format(value.as_py(), "f")
    if pa.types.is_string(kind):
        return "s:" + value.as_py()
    if pa.types.is_binary(kind) or pa.types.is_fixed_size_binary(kind):
        return "x:" + value.as_py().hex()
    if pa.types.is_date32(kind):
        return bits(float(value.value * 86400 - EPOCH))
    if pa.types.is_timestamp(kind):
        return bits(instant(value.value, kind.unit))
    if pa.types.is_time(kind):
        return "s:" + time_of_day(value.value, kind.unit)
    return "j:" + as_json(value, kind)


def column(table, index):
    values = table.column(index).slice(0, 60)
    if isinstance(values.type, pa.BaseExtensionType):
        values = pa.chunked_array([getattr(chunk, "storage", chunk) for chunk in values.chunks])
    if pa.types.is_dictionary(values.type):
        values = values.cast(values.type.value_type)
    found = {"name": table.column_names[index]}
    found["values"] = [as_text(value, values.type) for value in values]
    return found


truth = {}
for path in sorted(glob.glob("*.parquet")):
    try:
        table = parquet.ParquetFile(path).read()
    except (pa.ArrowException, OSError) as error:
        truth[path] = {"error": str(error)[:100]}
        continue
    columns = [column(table, index) for index in range(min(24, table.num_columns))]
    truth[path] = {"rows": table.num_rows, "columns": columns}
with open("truth.json", "w") as file:
    json.dump(truth, file, ensure_ascii=False, indent=0)
