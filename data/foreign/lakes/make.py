"""Makes the folders beside: the same eight rows, as pyarrow, DuckDB and Spark partition them.

    python make.py FOLDER     (Spark needs Java 17)
"""
import sys

import duckdb
import pyarrow as pa
import pyarrow.dataset as ds
from pyspark.sql import SparkSession

folder = sys.argv[1]
rows = pa.table({
    "id": pa.array([1, 2, 3, 4, 5, 6, 7, 8], pa.int64()),
    "name": ["a", "b", "c", "d", "e", "f", "g", "h"],
    "place": ["Zürich", "Zürich", "a b", "x=y/z", None, "100%", "a b", "Ω?*"],
    "year": pa.array([2023, 2024, 2023, None, 2024, 2023, 2024, 2024], pa.int64()),
    "latitude": [47.4, 47.5, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0],
    "longitude": [8.5, 8.6, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0],
})
ds.write_dataset(
    rows, folder + "/pyarrow", format="parquet", partitioning=["place", "year"],
    partitioning_flavor="hive",
    file_options=ds.ParquetFileFormat().make_write_options(store_schema=False))
duckdb.sql("SET threads = 1")
duckdb.sql(f"COPY (SELECT * FROM rows) TO '{folder}/duckdb' (FORMAT parquet, PARTITION_BY (place, year))")
spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
frame = spark.createDataFrame(
    [tuple(row.values()) for row in rows.to_pylist()],
    "id long, name string, place string, year int, latitude double, longitude double")
frame.coalesce(1).write.partitionBy("place", "year").parquet(folder + "/spark")
