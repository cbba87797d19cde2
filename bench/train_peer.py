"""The training recipe of train_bench in PyTorch and torchvision, as one would write it: the peer of the benchmark.

Pillow transforms in DataLoader workers, torchvision's ResNet-18 with the small stem or conv-mini, a projector, InfoNCE
over two views, SGD. Two processors in all. With --precision bfloat16 the networks run in torch.autocast. Prints one JSON
line; the processor time of a step is that of this process, without the workers that make views.

    /usr/bin/python3 bench/train_peer.py --backbone resnet18 --batch 256 --steps 3
"""
import argparse
import json
import time

import numpy
import PIL.Image
import PIL.ImageFilter
import torch
import torch.nn.functional as F
import torchvision
from torch import nn


class Residual(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.conv1 = nn.Conv2d(width, width, 3, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(width)
        self.conv2 = nn.Conv2d(width, width, 3, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(width)

    def forward(self, x):
        y = F.relu(self.bn1(self.conv1(x)), inplace=True)
        return F.relu(self.bn2(self.conv2(y)) + x, inplace=True)


class Stage(nn.Module):
    def __init__(self, inputs, width, kernel):
        super().__init__()
        self.down = nn.Conv2d(inputs, width, kernel, stride=2, padding=(kernel - 2) // 2, bias=False)
        self.bn = nn.BatchNorm2d(width)
        self.block = Residual(width)

    def forward(self, x):
        return self.block(F.relu(self.bn(self.down(x)), inplace=True))


class ConvMini(nn.Module):
    def __init__(self, channels=3, width=64):
        super().__init__()
        self.stage1 = Stage(channels, width, 4)
        self.stage2 = Stage(width, 2 * width, 2)
        self.stage3 = Stage(2 * width, 4 * width, 2)

    def forward(self, x):
        return self.stage3(self.stage2(self.stage1(x))).mean((2, 3))


def make_backbone(name, stem="small"):
    if name == "conv-mini":
        return ConvMini(), 256
    network = getattr(torchvision.models, name)()
    features = network.fc.in_features
    if stem == "small":
        network.conv1 = nn.Conv2d(3, 64, 3, stride=1, padding=1, bias=False)
        network.maxpool = nn.Identity()
    network.fc = nn.Identity()
    return network, features


class Blur:
    def __call__(self, image):
        return image.filter(PIL.ImageFilter.GaussianBlur(radius=float(torch.empty(1).uniform_(0.1, 2.0))))


def make_views():
    t = torchvision.transforms
    return t.Compose([
        t.RandomResizedCrop(32, scale=(0.08, 1.0), interpolation=t.InterpolationMode.BICUBIC),
        t.RandomApply([t.ColorJitter(0.8, 0.8, 0.8, 0.2)], p=0.8),
        t.RandomGrayscale(p=0.2),
        t.RandomApply([Blur()], p=0.5),
        t.RandomHorizontalFlip(),
        t.ToTensor(),
        t.Normalize((0.4914, 0.4822, 0.4465), (0.2470, 0.2435, 0.2616)),
    ])


class Pairs(torch.utils.data.Dataset):
    """Smooth random pictures, two views each."""

    def __init__(self, count):
        small = numpy.random.RandomState(0).randint(0, 256, (256, 8, 8, 3), dtype=numpy.uint8)
        self.pictures = [PIL.Image.fromarray(p).resize((32, 32), PIL.Image.BICUBIC) for p in small]
        self.count = count
        self.views = make_views()

    def __len__(self):
        return self.count

    def __getitem__(self, i):
        picture = self.pictures[i % len(self.pictures)]
        return self.views(picture), self.views(picture)


def info_nce(z, temperature=0.2):
    z = F.normalize(z, dim=1)
    similarity = z @ z.t() / temperature
    similarity.fill_diagonal_(float("-inf"))
    half = z.shape[0] // 2
    positive = torch.cat([torch.arange(half, 2 * half), torch.arange(half)])
    return F.cross_entropy(similarity, positive)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--backbone", default="resnet18")
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--steps", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--precision", default="float32", choices=["float32", "bfloat16"])
    options = parser.parse_args()

    torch.manual_seed(0)
    torch.set_num_threads(options.threads)
    backbone, features = make_backbone(options.backbone)
    projector = nn.Sequential(nn.Linear(features, 2048), nn.ReLU(inplace=True), nn.Linear(2048, 256))
    parameters = list(backbone.parameters()) + list(projector.parameters())
    optimiser = torch.optim.SGD(parameters, lr=0.05, momentum=0.9, weight_decay=1e-4)
    loader = torch.utils.data.DataLoader(Pairs(options.batch * (options.steps + 1)), batch_size=options.batch,
                                         num_workers=options.workers)
    seconds, processor = [], []
    start = time.perf_counter()
    for first, second in loader:
        begin = time.process_time()
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=options.precision == "bfloat16"):
            z = F.relu(projector(backbone(torch.cat([first, second]))))
        loss = info_nce(z.float())
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        optimiser.step()
        now = time.perf_counter()
        seconds.append(now - start)
        processor.append(time.process_time() - begin)
        start = now
    rate = options.batch / float(numpy.median(seconds[1:]))
    print(json.dumps({"program": "pytorch", "backbone": options.backbone, "batch": options.batch,
                      "threads": options.threads, "precision": options.precision, "images_per_second": rate,
                      "step_processor_seconds": float(numpy.median(processor[1:])), "loss": float(loss)}))


if __name__ == "__main__":
    main()
