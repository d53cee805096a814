package geo

import (
	"strings"

	"tileserver/geo/internal/projection"
)

// wktWord returns a name as the tables of this file have it: writers differ in case, spaces and
// hyphens.
func wktWord(name string) string {
	return strings.ToLower(strings.NewReplacer(" ", "_", "-", "_", "(", "", ")", "").Replace(name))
}

// wktMethods maps the names of projections by the OGC, GDAL and ESRI to methods. A name of several
// methods has one of those that settleMethod tells apart.
func wktMethods() map[string]Method {
	return map[string]Method{
		"transverse_mercator": projection.TransverseMercator, "gauss_kruger": projection.TransverseMercator,
		"transverse_mercator_3d":               projection.TransverseMercator3D,
		"transverse_mercator_south_orientated": projection.TransverseMercatorSouthOrientated,
		"mercator":                             projection.MercatorA, "mercator_1sp": projection.MercatorA, "mercator_2sp": projection.MercatorA,
		"mercator_variant_a": projection.MercatorA, "mercator_variant_b": projection.MercatorB,
		"popular_visualisation_pseudo_mercator": projection.WebMercator,

		"lambert_conformal_conic":     projection.LambertConic1SP,
		"lambert_conformal_conic_1sp": projection.LambertConic1SP, "lambert_conic_conformal_1sp": projection.LambertConic1SP,
		"lambert_conformal_conic_2sp": projection.LambertConic2SP, "lambert_conic_conformal_2sp": projection.LambertConic2SP,
		"lambert_conformal_conic_2sp_belgium": projection.LambertConicBelgium, "lambert_conic_conformal_2sp_belgium": projection.LambertConicBelgium,
		"lambert_conic_conformal_2sp_michigan":    projection.LambertConicMichigan,
		"lambert_conic_conformal_west_orientated": projection.LambertConicWestOrientated,
		"lambert_azimuthal_equal_area":            projection.LambertAzimuthal,
		"albers":                                  projection.Albers, "albers_conic_equal_area": projection.Albers, "albers_equal_area": projection.Albers,
		"lambert_azimuthal_equal_area_spherical": projection.LambertAzimuthalSpherical,
		"equidistant_conic":                      projection.EquidistantConic,
		"polyconic":                              projection.AmericanPolyconic, "american_polyconic": projection.AmericanPolyconic,
		"bonne": projection.Bonne, "bonne_south_orientated": projection.BonneSouthOrientated,

		"polar_stereographic":      projection.PolarStereographicB,
		"stereographic_north_pole": projection.PolarStereographicB, "stereographic_south_pole": projection.PolarStereographicB,
		"polar_stereographic_variant_a": projection.PolarStereographicA,
		"polar_stereographic_variant_b": projection.PolarStereographicB,
		"polar_stereographic_variant_c": projection.PolarStereographicC,
		"oblique_stereographic":         projection.ObliqueStereographic, "double_stereographic": projection.ObliqueStereographic,
		"stereographic":         projection.Stereographic,
		"azimuthal_equidistant": projection.AzimuthalEquidistant, "modified_azimuthal_equidistant": projection.ModifiedAzimuthalEquidistant,
		"guam_projection":         projection.Guam,
		"geostationary_satellite": projection.GeostationarySweepY, "geostationary_satellite_sweep_y": projection.GeostationarySweepY,
		"geostationary_satellite_sweep_x": projection.GeostationarySweepX,

		"hotine_oblique_mercator": projection.HotineObliqueMercatorA, "hotine_oblique_mercator_variant_a": projection.HotineObliqueMercatorA,
		"hotine_oblique_mercator_azimuth_natural_origin": projection.HotineObliqueMercatorA,
		"rectified_skew_orthomorphic_natural_origin":     projection.HotineObliqueMercatorA,
		"hotine_oblique_mercator_variant_b":              projection.HotineObliqueMercatorB,
		"hotine_oblique_mercator_azimuth_center":         projection.HotineObliqueMercatorB,
		"rectified_skew_orthomorphic_center":             projection.HotineObliqueMercatorB,
		"swiss_oblique_cylindrical":                      projection.HotineObliqueMercatorB,
		"swiss_oblique_mercator":                         projection.HotineObliqueMercatorB,
		"laborde_oblique_mercator":                       projection.Laborde,

		"equirectangular": projection.EquidistantCylindrical, "equidistant_cylindrical": projection.EquidistantCylindrical,
		"plate_carree": projection.EquidistantCylindrical, "equidistant_cylindrical_spherical": projection.EquidistantCylindricalSphere,
		"cassini_soldner": projection.CassiniSoldner, "cassini": projection.CassiniSoldner,
		"cylindrical_equal_area": projection.LambertCylindrical, "lambert_cylindrical_equal_area": projection.LambertCylindrical,
		"hyperbolic_cassini_soldner": projection.CassiniHyperbolic, "igac_plano_cartesiano": projection.ColombiaUrban, "colombia_urban": projection.ColombiaUrban,
		"krovak": projection.Krovak, "krovak_north_orientated": projection.KrovakNorthOriented,
		"behrmann":             projection.LambertCylindrical,
		"new_zealand_map_grid": projection.NewZealandMapGrid,

		"equal_earth": projection.EqualEarth, "mollweide": projection.Mollweide, "robinson": projection.Robinson, "sinusoidal": projection.Sinusoidal,
		"van_der_grinten": projection.VanDerGrinten, "van_der_grinten_i": projection.VanDerGrinten, "vandergrinten": projection.VanDerGrinten,
	}
}

// wktParameters maps the names of parameters by the OGC, GDAL and ESRI to codes of the registry.
func wktParameters() map[string]int {
	return map[string]int{
		"latitude_of_origin": 8801, "latitude_of_center": 8801, "latitude_of_natural_origin": 8801,
		"latitude_of_false_origin": 8821, "latitude_of_projection_centre": 8811,
		"central_meridian": 8802, "longitude_of_center": 8802, "longitude_of_origin": 8802, "longitude_of_natural_origin": 8802,
		"longitude_of_false_origin": 8822, "longitude_of_projection_centre": 8812,
		"standard_parallel_1": standardParallel, "latitude_of_1st_standard_parallel": standardParallel, "latitude_of_standard_parallel": 8832,
		"standard_parallel_2": secondParallel, "latitude_of_2nd_standard_parallel": secondParallel,
		"latitude_of_pseudo_standard_parallel": 8818, "pseudo_standard_parallel_1": 8818, "ellipsoid_scaling_factor": 1038, "projection_plane_origin_height": satelliteHeight, "co_latitude_of_cone_axis": 1036,
		"scale_factor": scaleFactorAtOrigin, "scale_factor_at_natural_origin": scaleFactorAtOrigin, "scale_factor_on_initial_line": 8815,
		"scale_factor_at_projection_centre": 8815, "scale_factor_on_pseudo_standard_parallel": 8819,
		"false_easting": 8806, "easting_at_false_origin": 8826, "easting_at_projection_centre": 8816,
		"false_northing": 8807, "northing_at_false_origin": 8827, "northing_at_projection_centre": 8817,
		"azimuth": 8813, "azimuth_of_initial_line": 8813, "azimuth_at_projection_centre": 8813,
		"rectified_grid_angle": rectifiedAngle, "angle_from_rectified_to_skew_grid": rectifiedAngle, "xy_plane_rotation": rectifiedAngle,
		"satellite_height": satelliteHeight, "height": satelliteHeight, "option": sweepOption,
	}
}

// kind is the kind of value that a parameter has.
type kind uint8

const (
	ofRatio kind = iota
	ofAngle
	ofLength
)

func parameterKind(code int) kind {
	switch code {
	case 8805, 8815, 8819, 1038:
		return ofRatio
	case 8806, 8807, 8816, 8817, 8826, 8827, satelliteHeight:
		return ofLength
	}
	return ofAngle
}

// wktDatums maps datums that are often named without a code to their geographic systems.
var wktDatums = map[string]int{
	"wgs_1984": 4326, "north_american_1983": 4269, "north_american_1927": 4267, "etrs_1989": 4258,
	"european_terrestrial_reference_system_1989": 4258, "european_1950": 4230, "nad_1983_2011": 6318,
	"gda_1994": 4283, "gda2020": 7844, "osgb_1936": 4277, "rgf_1993": 4171, "jgd_2000": 4612, "jgd_2011": 6668, "nzgd_2000": 4167,
	"north_american_datum_1927": 4267, "north_american_datum_1983": 4269, "ordnance_survey_of_great_britain_1936": 4277,
	"world_geodetic_system_1984": 4326, "world_geodetic_system_1984_ensemble": 4326,
}
