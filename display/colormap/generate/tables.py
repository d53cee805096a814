# Prints a line for each color map of matplotlib: its name, its 256 colors and the colors of the
# reversed map. Samples are rounded down, as in tile servers that use matplotlib.
import matplotlib
import numpy

positions = numpy.linspace(0, 1, 256)


def table(name):
    colors = matplotlib.colormaps[name](positions)
    if (colors[:, 3] != 1).any():
        raise SystemExit(name + " is not opaque")
    return (colors[:, :3] * 255).astype("uint8").tobytes().hex()


for name in sorted(matplotlib.colormaps):
    if not name.endswith("_r"):
        print(name.lower(), table(name), table(name + "_r"))
