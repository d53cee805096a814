"""Reads the capabilities of a WMTS with OWSLib, gets a tile, and says what it has understood.

Arguments: the address of the capabilities or of the service, a layer, a tile matrix set,
a matrix, a row, a column, and the file for the tile.
"""

import json
import sys

from owslib.wmts import WebMapTileService

address, layer, matrix_set, matrix, row, column, path = sys.argv[1:]
service = WebMapTileService(address)
content = service.contents[layer]
tile = service.gettile(
    layer=layer, tilematrixset=matrix_set, tilematrix=matrix, row=int(row), column=int(column), format="image/png"
)
with open(path, "wb") as file:
    file.write(tile.read())
links = content.tilematrixsetlinks
limits = links[matrix_set].tilematrixlimits if matrix_set in links else {}
json.dump(
    {
        "service": service.identification.title,
        "version": service.identification.version,
        "operations": [operation.name for operation in service.operations],
        "layers": list(service.contents),
        "title": content.title,
        "bounds": content.boundingBoxWGS84,
        "formats": content.formats,
        "styles": {name: bool(style.get("isDefault")) for name, style in content.styles.items()},
        "matrixSets": {name: matrix_set.crs for name, matrix_set in service.tilematrixsets.items()},
        "limitedMatrices": len(limits),
    },
    sys.stdout,
)
