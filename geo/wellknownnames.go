package geo

// wktTransforms maps the names of projections by GDAL and ESRI to their GeoTIFF numbers.
var wktTransforms = map[string]int{
	"transverse_mercator": 1, "gauss_kruger": 1,
	"mercator": 7, "mercator_1sp": 7, "mercator_2sp": 7,
	"lambert_conformal_conic_2sp": 8, "lambert_conformal_conic_1sp": 9,
	"lambert_azimuthal_equal_area": 10,
	"albers":                       11, "albers_conic_equal_area": 11,
	"polar_stereographic": 15, "stereographic_north_pole": 15, "stereographic_south_pole": 15,
	"oblique_stereographic": 16, "double_stereographic": 16,
	"equirectangular": 17, "equidistant_cylindrical": 17, "plate_carree": 17,
	"cassini_soldner": 18, "cassini": 18,
	"polyconic": 22, "sinusoidal": 24, "new_zealand_map_grid": 26,
	"transverse_mercator_south_orientated": 27,
	"cylindrical_equal_area":               28,
}

// wktParameterKeys maps the names of parameters in well-known text to keys. Origin and center are
// equivalent for readers of the keys.
var wktParameterKeys = map[string]geoKey{
	"standard_parallel_1": standardParallel1Key, "standard_parallel_2": standardParallel2Key,
	"central_meridian": naturalLongitudeKey, "longitude_of_center": naturalLongitudeKey, "longitude_of_origin": naturalLongitudeKey,
	"latitude_of_origin": naturalLatitudeKey, "latitude_of_center": naturalLatitudeKey,
	"false_easting": falseEastingKey, "false_northing": falseNorthingKey, "scale_factor": scaleAtOriginKey,
}

// wktDatums maps datums that are often named without a code to their geographic systems.
var wktDatums = map[string]int{
	"wgs_1984": 4326, "north_american_1983": 4269, "north_american_1927": 4267, "etrs_1989": 4258,
	"european_terrestrial_reference_system_1989": 4258, "european_1950": 4230, "nad_1983_2011": 6318,
	"gda_1994": 4283, "gda2020": 7844, "osgb_1936": 4277, "rgf_1993": 4171, "jgd_2000": 4612, "jgd_2011": 6668, "nzgd_2000": 4167,
}
