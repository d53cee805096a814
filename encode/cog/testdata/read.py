"""Reads files with GDAL. Beside each it writes what GDAL says of it as JSON, and all samples of all levels, with their
masks, band after band."""
import json
import sys

from osgeo import gdal
from osgeo_utils.samples.validate_cloud_optimized_geotiff import validate

gdal.UseExceptions()
for path in sys.argv[1:]:
    warnings, errors, _ = validate(path, full_check=True)
    file = gdal.Open(path)
    bands = [file.GetRasterBand(i + 1) for i in range(file.RasterCount)]
    reference = file.GetSpatialRef() or file.GetGCPSpatialRef()
    facts = {
        "problems": warnings + errors,
        "levels": 1 + bands[0].GetOverviewCount(),
        "structure": file.GetMetadata("IMAGE_STRUCTURE"),
        "metadata": file.GetMetadata(),
        "rpc": file.GetMetadata("RPC"),
        "code": reference.GetAuthorityCode(None) if reference else "",
        "transform": file.GetGeoTransform(can_return_null=True),
        "points": [[p.GCPPixel, p.GCPLine, p.GCPX, p.GCPY] for p in file.GetGCPs()],
        "bands": [
            {
                "name": b.GetDescription(),
                "unit": b.GetUnitType(),
                "scale": b.GetScale(),
                "offset": b.GetOffset(),
                "nodata": str(b.GetNoDataValue()),
                "color": gdal.GetColorInterpretationName(b.GetColorInterpretation()),
                "masks": b.GetMaskFlags(),
                "metadata": b.GetMetadata(),
            }
            for b in bands
        ],
    }
    table = bands[0].GetColorTable()
    if table:
        facts["palette"] = [list(table.GetColorEntry(i)) for i in range(table.GetCount())]
    with open(path + ".json", "w") as out:
        json.dump(facts, out)
    with open(path + ".raw", "wb") as out:
        for level in range(facts["levels"]):
            for band in bands:
                here = band if level == 0 else band.GetOverview(level - 1)
                out.write(here.ReadRaster())
                out.write(here.GetMaskBand().ReadRaster())
