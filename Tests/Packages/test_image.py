"""The image of `make image`."""

import hashlib
import subprocess
from pathlib import Path

from conftest import ROOT


def test_two_images_of_one_system_have_the_same_bytes(tmp_path: Path) -> None:
    digests = []
    for _ in range(2):
        image = tmp_path / "tabard.img"
        subprocess.run([ROOT / "packaging/image", "--output", image, "generic-x86-64"], check=True, cwd=ROOT)
        with image.open("rb") as file:
            digests.append(hashlib.file_digest(file, "sha256").hexdigest())
        image.unlink()
    assert digests[0] == digests[1]
