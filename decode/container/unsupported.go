package container

import (
	"strings"

	"tileserver/decode"
)

// signature is how files of an unsupported format begin.
type signature struct {
	offset int
	bytes  string
	format string // with its article
}

// signatures lists well-known unsupported formats, so that an error can name the format of a file.
// A signature comes before any shorter one that is its prefix.
var signatures = []signature{
	{0, "\x89PNG\r\n\x1a\n", "a PNG file"},
	{0, "\xff\xd8\xff", "a JPEG file"},
	{0, "GIF8", "a GIF file"},
	{8, "WEBP", "a WebP file"},
	{4, "ftypavif", "an AVIF file"},
	{4, "ftypheic", "a HEIF file"},
	{4, "JXL \r\n\x87\n", "a JPEG XL file"},
	{0, "\x89HDF\r\n\x1a\n", "an HDF5 or NetCDF-4 file"},
	{0, "CDF\x01", "a NetCDF file"},
	{0, "CDF\x02", "a NetCDF file"},
	{0, "CDF\x05", "a NetCDF file"},
	{0, "\x0e\x03\x13\x01", "an HDF4 file"},
	{0, "GRIB", "a GRIB file"},
	{0, "EHFA_HEADER_TAG", "an ERDAS IMAGINE file"},
	{0, "SIMPLE  =", "a FITS file"},
	{0, "msid", "a MrSID file"},
	{0, "UHL1", "a DTED file"},
	{0, "PG ML", "a PGX file"},
	{0, "PG LM", "a PGX file"},
	{0, "<VRTDataset", "a VRT file"},
	{0, "PMTiles", "a PMTiles archive"},
	{0, "SQLite format 3\x00", "an SQLite database, such as GeoPackage or MBTiles"},
	{0, "LASF", "a LAS point cloud"},
	{0, "\x00\x00\x27\x0a", "a shapefile"},
	{0, "PK\x03\x04", "a ZIP archive"},
	{0, "\x1f\x8b", "a gzip archive"},
	{0, "%PDF-", "a PDF file"},
	{0, "<?xml", "an XML file"},
}

// foreignError reports a file in an unsupported format.
type foreignError string

func (e foreignError) Error() string { return string(e) }

// Is makes it decode.ErrUnsupported.
func (foreignError) Is(target error) bool { return target == decode.ErrUnsupported }

// unsupported returns the error for a file of no supported format that begins with head. It names
// the format if that is known.
func (r Registry) unsupported(head []byte) error {
	reads := "tileserver reads " + r.names()
	if len(head) == 0 {
		return foreignError("the file is empty")
	}
	for _, s := range signatures {
		if len(head) >= s.offset && strings.HasPrefix(string(head[s.offset:]), s.bytes) {
			return foreignError("this is " + s.format + "; " + reads)
		}
	}
	return foreignError("unknown format; " + reads)
}
