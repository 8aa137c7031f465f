#!/usr/bin/env python3
"""Opens files that refolio wrote with the readers other people use and compares every value.

    check.py EXPECTED.json FILE.parquet [FILE.csv]

EXPECTED.json: {"types": {column: type}, "metadata": {key: text}, "rows": [{column: value}], "csv": [[five texts]]}.
Types are written as in docs/columns.md, bytes as hexadecimal.

Exit code 0: all equal. 1: differences, the first of each reader on stderr. 77: pyarrow or polars cannot be imported.
"""

import csv
import json
import os
import sys
import tempfile

SKIPPED = 77

try:
    import polars
    import pyarrow
    import pyarrow.parquet
except ImportError as error:
    print(f"skipped: {error}", file=sys.stderr)
    sys.exit(SKIPPED)


class Difference(Exception):
    pass


def compare(where, found, expected):
    """Equal in value and in Python type, down to the leaves: 1 is not 1.0 and not True."""
    if isinstance(expected, dict) and isinstance(found, dict):
        if list(found) != list(expected):
            raise Difference(f"{where}: keys {list(found)}, expected {list(expected)}")
        for key in expected:
            compare(f"{where}.{key}", found[key], expected[key])
    elif isinstance(expected, list) and isinstance(found, list):
        if len(found) != len(expected):
            raise Difference(f"{where}: {len(found)} items, expected {len(expected)}")
        for i, (a, b) in enumerate(zip(found, expected)):
            compare(f"{where}[{i}]", a, b)
    elif type(found) is not type(expected) or found != expected:
        raise Difference(f"{where}: {found!r}, expected {expected!r}")


def plain(value):
    """Bytes as hexadecimal; lists and structs throughout."""
    if isinstance(value, (bytes, bytearray)):
        return bytes(value).hex()
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value


def compare_rows(reader, found, expected):
    if len(found) != len(expected):
        raise Difference(f"{reader}: {len(found)} rows, expected {len(expected)}")
    for i, (a, b) in enumerate(zip(found, expected)):
        compare(f"{reader}: row {i}", plain(a), b)


def without_marks(kind):
    return kind.replace("?", "")


def arrow_type(kind):
    names = {"string": "utf8", "double": "float64"}
    if pyarrow.types.is_list(kind):
        mark = "?" if kind.value_field.nullable else ""
        return f"list<{arrow_type(kind.value_type)}{mark}>"
    if pyarrow.types.is_struct(kind):
        fields = [kind.field(i) for i in range(kind.num_fields)]
        inner = [f"{f.name}: {arrow_type(f.type)}{'?' if f.nullable else ''}" for f in fields]
        return f"struct<{', '.join(inner)}>"
    return names.get(str(kind), str(kind))


def polars_type(kind):
    if isinstance(kind, polars.List):
        return f"list<{polars_type(kind.inner)}>"
    if isinstance(kind, polars.Struct):
        return f"struct<{', '.join(f'{f.name}: {polars_type(f.dtype)}' for f in kind.fields)}>"
    return {"String": "utf8"}.get(str(kind), str(kind).lower())


def check_pyarrow(path, expected):
    table = pyarrow.parquet.read_table(path)
    types = {f.name: arrow_type(f.type) + ("?" if f.nullable else "") for f in table.schema}
    compare("pyarrow: types", types, expected["types"])
    for field in table.schema:
        if not (field.metadata or {}).get(b"description"):
            raise Difference(f"pyarrow: column {field.name} has no description")
    metadata = pyarrow.parquet.read_metadata(path).metadata
    found = {k.decode(): v.decode() for k, v in metadata.items() if k.startswith(b"refolio.")}
    compare("pyarrow: metadata", dict(sorted(found.items())), dict(sorted(expected["metadata"].items())))
    compare_rows("pyarrow", table.to_pylist(), expected["rows"])


def check_polars_eager(path, expected):
    check_frame("polars.read_parquet", polars.read_parquet(path), expected)


def check_polars_lazy(path, expected):
    check_frame("polars.scan_parquet", polars.scan_parquet(path).collect(), expected)
    # A question as a person would ask it, so that pushing filters down to the statistics is tried too.
    status = expected["rows"][0]["status"]
    found = polars.scan_parquet(path).filter(polars.col("status") == status).select("record_id").collect()
    wanted = [{"record_id": row["record_id"]} for row in expected["rows"] if row["status"] == status]
    compare_rows("polars.scan_parquet: filter", found.to_dicts(), wanted)


def check_frame(reader, frame, expected):
    types = {name: without_marks(kind) for name, kind in expected["types"].items()}
    found = {name: polars_type(kind) for name, kind in frame.schema.items()}
    compare(f"{reader}: types", found, types)
    compare_rows(reader, frame.to_dicts(), expected["rows"])


def check_datasets(path, expected):
    os.environ["HF_DATASETS_OFFLINE"] = "1"
    os.environ["HF_HUB_OFFLINE"] = "1"
    try:
        import datasets
    except ImportError as error:
        return f"datasets skipped: {error}"
    datasets.disable_progress_bars()
    with tempfile.TemporaryDirectory() as cache:
        loaded = datasets.load_dataset("parquet", data_files={"train": path}, split="train", cache_dir=cache)
        compare("datasets: columns", loaded.column_names, list(expected["types"]))
        compare_rows("datasets", list(loaded), expected["rows"])
    return f"datasets {datasets.__version__}"


def check_csv(path, expected):
    with open(path, newline="", encoding="utf-8") as file:
        compare("csv", list(csv.reader(file)), expected["csv"])
    return "csv"


def check_pandas(path, expected):
    try:
        import pandas
    except ImportError as error:
        return f"pandas skipped: {error}"
    frame = pandas.read_csv(path, keep_default_na=False)
    compare("pandas", [list(frame.columns), *frame.values.tolist()], expected["csv"])
    return f"pandas {pandas.__version__}"


def main(expected, parquet, csv_file=None):
    with open(expected, encoding="utf-8") as file:
        expected = json.load(file)
    checks = [(check, parquet) for check in (check_pyarrow, check_polars_eager, check_polars_lazy, check_datasets)]
    if csv_file:
        checks += [(check_csv, csv_file), (check_pandas, csv_file)]
    versions = [f"pyarrow {pyarrow.__version__}", f"polars {polars.__version__}"]
    different = False
    # Every reader has its say, even if one before it found a difference.
    for check, path in checks:
        try:
            versions.append(check(path, expected))
        except Difference as difference:
            print(f"different: {difference}", file=sys.stderr)
            different = True
    if different:
        return 1
    size = f"{len(expected['rows'])} rows of {len(expected['types'])} columns"
    print(f"equal: {size}; {'; '.join(filter(None, versions))}")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
