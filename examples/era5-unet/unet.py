"""A small U-Net (2 M parameters for 20 channels) that predicts the next step of all channels."""

import torch
from torch import nn

HALVED = 8  # rows and columns are halved three times


class Block(nn.Sequential):
    """Two convolutions."""

    def __init__(self, inputs: int, outputs: int):
        layers: list[nn.Module] = []
        for channels in (inputs, outputs):
            layers += [nn.Conv2d(channels, outputs, 3, padding=1), nn.BatchNorm2d(outputs), nn.ReLU(inplace=True)]
        super().__init__(*layers)


class UNet(nn.Module):
    """Halves the resolution three times, and doubles it again with the skipped features."""

    def __init__(self, channels: int, widths: tuple[int, ...] = (32, 64, 128, 256)):
        super().__init__()
        self.down = nn.ModuleList(Block(i, o) for i, o in zip((channels, *widths), widths))
        self.up = nn.ModuleList(nn.ConvTranspose2d(o, i, 2, 2) for i, o in zip(widths, widths[1:]))
        self.merge = nn.ModuleList(Block(2 * width, width) for width in widths[:-1])
        self.head = nn.Conv2d(widths[0], channels, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        skipped = []
        for block in self.down[:-1]:
            skipped.append(block(x))
            x = nn.functional.max_pool2d(skipped[-1], 2)
        x = self.down[-1](x)
        for up, merge, skip in zip(reversed(self.up), reversed(self.merge), reversed(skipped)):
            x = merge(torch.cat([up(x), skip], 1))
        return self.head(x)
