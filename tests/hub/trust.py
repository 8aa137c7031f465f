"""Does with the Hub of the tests what Python's own client does with the real one, and says what came of it.

Usage: trust.py REPO FOLDER PART_BYTES. HF_ENDPOINT and HF_TOKEN say where and as whom.
"""

import os
import sys

try:
    from huggingface_hub import CommitOperationAdd, CommitOperationDelete, HfApi, hf_hub_download, snapshot_download
    from huggingface_hub.errors import EntryNotFoundError, HfHubHTTPError, RepositoryNotFoundError, RevisionNotFoundError
except ImportError as error:
    print(error, file=sys.stderr)
    sys.exit(77)

repo, folder = sys.argv[1:3]
api = HfApi()
as_dataset = {"repo_id": repo, "repo_type": "dataset"}


def refused(kind, call, *arguments, **named):
    try:
        call(*arguments, **named)
    except kind as error:
        return getattr(getattr(error, "response", None), "status_code", None)
    raise AssertionError(f"{call} was not refused")


assert api.whoami()["name"] == "refolio"
refused(RepositoryNotFoundError, api.dataset_info, repo)
api.create_repo(**as_dataset)
assert refused(HfHubHTTPError, api.create_repo, **as_dataset) == 409
api.create_repo(**as_dataset, exist_ok=True)
assert refused(HfHubHTTPError, api.create_repo, repo_id="strangers/x", repo_type="dataset") == 403

xet = os.environ.get("HF_HUB_DISABLE_XET") != "1"
first = api.dataset_info(repo).sha
if xet:
    # The store of the tests speaks the interface of large files only; the rest of a folder needs neither.
    commit = api.create_commit(
        **as_dataset,
        commit_message="text",
        operations=[
            CommitOperationAdd(name, os.path.join(folder, name)) for name in ["README.md", "data/train.jsonl"]
        ],
    )
else:
    commit = api.upload_folder(**as_dataset, folder_path=folder, commit_message="a folder")
head = api.dataset_info(repo).sha
assert commit.oid == head != first

stale = [CommitOperationAdd("stale.txt", b"stale")]
assert refused(HfHubHTTPError, api.create_commit, **as_dataset, operations=stale, commit_message="x", parent_commit=first) == 412
refused((EntryNotFoundError, HfHubHTTPError), api.create_commit, **as_dataset, operations=[CommitOperationDelete("no")], commit_message="x")
assert api.dataset_info(repo).sha == head

api.create_tag(**as_dataset, tag="v1.0.0")
assert refused(HfHubHTTPError, api.create_tag, **as_dataset, tag="v1.0.0") == 409
refused(RevisionNotFoundError, api.dataset_info, repo, revision="nowhere")
refused(EntryNotFoundError, hf_hub_download, **as_dataset, filename="nowhere.txt")
refs = api.list_repo_refs(**as_dataset)
assert [(tag.name, tag.target_commit) for tag in refs.tags] == [("v1.0.0", head)]
assert [branch.name for branch in refs.branches] == ["main"]

here = sorted(
    os.path.relpath(os.path.join(where, name), folder) for where, _, names in os.walk(folder) for name in names
)
wanted = ["README.md", "data/train.jsonl"] if xet else here
tree = {file.path: file for file in api.list_repo_tree(**as_dataset, recursive=True) if hasattr(file, "size")}
assert sorted(tree) == sorted([".gitattributes", *wanted]), sorted(tree)
assert sorted(api.list_repo_files(**as_dataset, revision="v1.0.0")) == sorted(tree)
there = snapshot_download(**as_dataset, revision="v1.0.0")
for name in wanted:
    with open(os.path.join(folder, name), "rb") as a, open(os.path.join(there, name), "rb") as b:
        assert a.read() == b.read(), name
    one = hf_hub_download(**as_dataset, filename=name, local_dir=os.path.join(os.environ["HF_HOME"], "one"))
    assert os.path.getsize(one) == tree[name].size == os.path.getsize(os.path.join(folder, name))
    assert (tree[name].lfs is not None) == name.endswith((".parquet", ".bin")), name

# The same folder again changes nothing.
if not xet:
    assert api.upload_folder(**as_dataset, folder_path=folder).oid == head
api.create_commit(**as_dataset, operations=[CommitOperationDelete("data/train.jsonl")], commit_message="less")
assert "data/train.jsonl" not in api.list_repo_files(**as_dataset)
assert "data/train.jsonl" in api.list_repo_files(**as_dataset, revision="v1.0.0")
print("agreed:", len(wanted), "files")
