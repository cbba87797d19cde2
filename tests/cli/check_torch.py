"""Runs the first Python block of docs/networks.md and holds the models that it rebuilds against what torch_test.cpp
embedded with them."""
import pathlib
import re
import sys

import numpy as np
import torch

page, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
names = {}
exec(re.search(r"```python\n(.*?)```", page.read_text(), re.DOTALL).group(1), names)

torch.set_grad_enabled(False)
runs = sorted(path.parent for path in folder.glob("*/model.safetensors"))
assert len(runs) == 7, runs
for run in runs:
    model = names["OrthantModel"](run / "model.safetensors")
    if run.name in ("mlp", "bare"):
        rows = torch.from_numpy(np.load(folder / "vectors.npy"))
    else:
        rows = model.prepare(np.load(folder / "pictures.npy"))
    for layer, rebuilt in (("backbone", model.backbone(rows)), ("projector", model(rows))):
        embedded = np.load(run / f"{layer}.npy")
        assert embedded.shape == tuple(rebuilt.shape), (run.name, layer, embedded.shape, rebuilt.shape)
        scale = np.abs(embedded).max()
        assert scale > 0, (run.name, layer, "nothing but zeros")
        worst = np.abs(rebuilt.numpy() - embedded).max() / max(1, scale)
        assert worst < 1e-4, (run.name, layer, worst)
