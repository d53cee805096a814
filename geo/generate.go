package geo

//go:generate go run ./epsggen -out internal/epsg/epsg.tsv.gz
