"""Fetches a version with Python's own client and holds it against a folder: pulled.py REPO REVISION FOLDER."""

import filecmp
import os
import sys

try:
    from datasets import load_dataset
    from huggingface_hub import HfApi, hf_hub_download, snapshot_download
except ImportError as error:
    print(error, file=sys.stderr)
    sys.exit(77)

repo, revision, folder = sys.argv[1:4]
as_dataset = {"repo_id": repo, "repo_type": "dataset", "revision": revision}
there = snapshot_download(**as_dataset)
here = sorted(
    os.path.relpath(os.path.join(where, name), folder) for where, _, names in os.walk(folder) for name in names
)
assert sorted(set(HfApi().list_repo_files(**as_dataset)) - {".gitattributes"}) == here, here
for name in here:
    assert filecmp.cmp(os.path.join(folder, name), os.path.join(there, name), shallow=False), name
    one = hf_hub_download(**as_dataset, filename=name)
    assert filecmp.cmp(os.path.join(folder, name), one, shallow=False), name
rows = load_dataset(repo, "default", revision=revision)
assert rows["train"].num_rows == 3, rows
print("equal:", len(here), "files")
