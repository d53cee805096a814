# Writes a line for each colour map of matplotlib: its name, its 256 colours and those of its
# reverse. Samples are rounded down, as tile servers that use matplotlib have them.
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
