"""Holds a folder that `refolio publish` wrote against the readers that other people use: published.py FOLDER.

Every configuration is loaded by `datasets` from the card; types, rows and bytes of the card are compared with the files; the
Croissant description is validated and its records are read.
"""

import hashlib
import json
import os
import sys

try:
    import mlcroissant
    import pyarrow.parquet as pq
    import yaml
    from datasets import Features, get_dataset_config_names, load_dataset
except ImportError as error:
    print(error, file=sys.stderr)
    sys.exit(77)

folder = sys.argv[1]


def text(name):
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        return file.read()


def equal(what, found, expected):
    if found != expected:
        sys.exit(f"different: {what}: {found!r} and not {expected!r}")


card = text("README.md")
assert card.startswith("---\n")
meta = yaml.safe_load(card.split("---\n")[1])
names = ["default", "compat", "problematic", "provenance"]
# What has no rows is in the folder, but cannot be loaded and is not named.
for name in names:
    folder_of = os.path.join(folder, "data" if name == "default" else name)
    rows = sum(pq.ParquetFile(os.path.join(folder_of, file)).metadata.num_rows for file in os.listdir(folder_of))
    named = name in [config["config_name"] for config in meta["configs"]]
    assert named == (rows > 0), (name, rows)
names = [name for name in names if name in [config["config_name"] for config in meta["configs"]]]
equal("configs", [config["config_name"] for config in meta["configs"]], names)
equal("info", [info["config_name"] for info in meta["dataset_info"]], names)
equal("names", sorted(get_dataset_config_names(folder)), sorted(names))
for key in ["license", "language", "task_categories", "tags", "pretty_name", "size_categories"]:
    assert meta.get(key), key

rows_read = 0
for config, info in zip(meta["configs"], meta["dataset_info"]):
    name = config["config_name"]
    loaded = load_dataset(folder, name)
    splits = [files["split"] for files in config["data_files"]]
    equal(f"{name} splits", list(loaded), splits)
    features = Features._from_yaml_list(info["features"])
    total = bytes_on_disk = 0
    for split, told in zip(splits, info["splits"], strict=True):
        equal(f"{name} split", told["name"], split)
        rows = loaded[split]
        equal(f"{name}/{split} features", rows.features, features)
        equal(f"{name}/{split} rows", rows.num_rows, told["num_examples"])
        pattern = [files["path"] for files in config["data_files"] if files["split"] == split][0]
        where = os.path.join(folder, os.path.dirname(pattern))
        files = sorted(file for file in os.listdir(where) if file.startswith(split + "-"))
        count = 0
        for number, file in enumerate(files):
            equal("name", file, f"{split}-{number:05}-of-{len(files):05}.parquet")
            opened = pq.ParquetFile(os.path.join(where, file))
            count += opened.metadata.num_rows
            equal(f"{name}/{file} schema", Features.from_arrow_schema(opened.schema_arrow), features)
            bytes_on_disk += os.path.getsize(os.path.join(where, file))
        equal(f"{name}/{split} rows in files", count, told["num_examples"])
        # What `datasets` counts when it writes the rows itself differs by padding and bit maps alone.
        by_datasets = rows.info.splits[split].num_bytes
        assert abs(by_datasets - told["num_bytes"]) <= max(0.02 * by_datasets, 2000), (name, split, by_datasets, told)
        total += told["num_bytes"]
        rows_read += rows.num_rows
    equal(f"{name} download_size", info["download_size"], bytes_on_disk)
    equal(f"{name} dataset_size", info["dataset_size"], total)

published = json.loads(text("manifest.json"))["published"]
listed = {file["file"]: file for file in published["files"]}
there = {
    os.path.relpath(os.path.join(where, file), folder) for where, _, files in os.walk(folder) for file in files
}
equal("files", sorted(there - {"manifest.json"}), sorted(listed))
for name, file in listed.items():
    with open(os.path.join(folder, name), "rb") as opened:
        content = opened.read()
    equal(name, (len(content), hashlib.sha256(content).hexdigest()), (file["bytes"], file["sha256"]))

dataset = mlcroissant.Dataset(os.path.join(folder, "croissant.json"))
issues = dataset.metadata.ctx.issues
equal("croissant errors", sorted(issues.errors), [])
records = 0
for record_set in dataset.metadata.record_sets:
    config, split = record_set.name.split("/")
    told = [info for info in meta["dataset_info"] if info["config_name"] == config]
    split = split.rsplit("-", 1)[0] if "-" in split else split
    # What has no rows is not named.
    expected = sum(s["num_examples"] for info in told for s in info["splits"] if s["name"] == split)
    if expected == 0:
        continue
    read = list(dataset.records(record_set.name))
    if "-" not in record_set.name:
        equal(record_set.name, len(read), expected)
    assert read[0][f"{record_set.name}/{'nl_conclusion' if config == 'compat' else 'record_id'}"], read[0]
    records += len(read)
print("equal:", rows_read, "rows,", records, "records,", len(listed), "files;", sorted(issues.warnings))
