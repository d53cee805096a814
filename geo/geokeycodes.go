package geo

// Keys of GeoTIFF 1.1, the TOWGS84 extension, and the value for "not in the registry".
const (
	userDefined = 32767

	modelTypeKey  geoKey = 1024
	rasterTypeKey geoKey = 1025
	citationKey   geoKey = 1026

	geographicTypeKey     geoKey = 2048
	geographicCitationKey geoKey = 2049
	datumKey              geoKey = 2050
	primeMeridianKey      geoKey = 2051
	geogLinearUnitsKey    geoKey = 2052
	geogLinearSizeKey     geoKey = 2053
	angularUnitsKey       geoKey = 2054
	angularUnitSizeKey    geoKey = 2055
	ellipsoidKey          geoKey = 2056
	semiMajorAxisKey      geoKey = 2057
	semiMinorAxisKey      geoKey = 2058
	inverseFlatteningKey  geoKey = 2059
	meridianLongitudeKey  geoKey = 2061
	toWGS84Key            geoKey = 2062

	projectedTypeKey        geoKey = 3072
	projectedCitationKey    geoKey = 3073
	projectionKey           geoKey = 3074
	coordinateTransformKey  geoKey = 3075
	linearUnitsKey          geoKey = 3076
	linearUnitSizeKey       geoKey = 3077
	standardParallel1Key    geoKey = 3078
	standardParallel2Key    geoKey = 3079
	naturalLongitudeKey     geoKey = 3080
	naturalLatitudeKey      geoKey = 3081
	falseEastingKey         geoKey = 3082
	falseNorthingKey        geoKey = 3083
	falseOriginLongitudeKey geoKey = 3084
	falseOriginLatitudeKey  geoKey = 3085
	falseOriginEastingKey   geoKey = 3086
	falseOriginNorthingKey  geoKey = 3087
	centerLongitudeKey      geoKey = 3088
	centerLatitudeKey       geoKey = 3089
	centerEastingKey        geoKey = 3090
	centerNorthingKey       geoKey = 3091
	scaleAtOriginKey        geoKey = 3092
	scaleAtCenterKey        geoKey = 3093
	azimuthKey              geoKey = 3094
	straightVerticalKey     geoKey = 3095
	rectifiedGridAngleKey   geoKey = 3096
)

// Values of modelTypeKey.
const (
	modelProjected  = 1
	modelGeographic = 2
	modelGeocentric = 3
)
