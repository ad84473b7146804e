"""Makes the archives of good/ and bad/, one a case: bin/conformance runs this.

usage: python make.py [--check]    with the packages of cross-check/requirements.txt
"""

import pathlib
import shutil
import sys
import zipfile

import broken
import case
import lenient
import written

BYTES_MAX = 1_000_000


def content(archive):
    """Returns the files of an archive. Archives are compared by their files, because other releases of zlib
    compress to other bytes."""
    if not archive.exists():
        return None
    with zipfile.ZipFile(archive) as file:
        return {name: file.read(name) for name in file.namelist()}


def pack(files, archive):
    archive.parent.mkdir(exist_ok=True)
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as file:
        for name, data in files.items():
            file.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), data, zipfile.ZIP_DEFLATED)
    if archive.stat().st_size > BYTES_MAX:
        sys.exit(f"{archive} has more than {BYTES_MAX} bytes")


here = pathlib.Path(__file__).parent
for module in (written, lenient, broken):
    module.make()
changed, made = [], set()
for folder in sorted(case.root.glob("*/*")):
    archive = here / folder.parent.name / f"{folder.name}.zip"
    made.add(archive)
    files = {str(f.relative_to(folder)): f.read_bytes() for f in sorted(folder.rglob("*")) if f.is_file()}
    if content(archive) != files:
        changed.append(archive)
        if "--check" not in sys.argv:
            pack(files, archive)
shutil.rmtree(case.root)
stale = set(here.glob("*/*.zip")) - made
for archive in changed + sorted(stale):
    print("changed:" if archive in made else "not made by this script:", archive.relative_to(here))
print(f"{len(made)} cases")
if stale or (changed and "--check" in sys.argv):
    sys.exit(1)
