// The JSON documents of the server.

/** A number, or a word if it is not finite. */
export type Numeric = number | "nan" | "inf" | "-inf";

/** West, south, east, north in degrees. */
export type Bounds = [number, number, number, number];

export interface LayerSummary {
  id: string;
  title: string;
  offered?: true; // its file is opened when somebody asks; until then only names are known
  placed: boolean; // on the earth
  bounds: Bounds | null;
  width: number;
  height: number;
  band_count: number;
  statistics_version: string;
  overviews?: Overviews; // that a file lacks
  allow?: Allow; // of strangers
}

/** What the operator allows. Omitted parts allow everything. */
export interface Allow {
  formats?: string[]; // by their extensions
  parameters?: string[];
  max_width?: number;
  max_height?: number;
  max_pixels?: number;
  values?: boolean; // at points, and statistics
}

/** Overviews that are being built, or will be when a picture needs them. */
export interface Overviews {
  making: boolean;
  progress: number; // from 0 to 1
}

/** A page of layers. */
export interface LayerList {
  layers: LayerSummary[];
  total: number;
  offset: number;
  start?: string;
}

export interface LayerDocument extends LayerSummary {
  attribution?: string; // the credit to show beside its pictures
  dtype: string;
  bands: Band[];
  default: Shown | null; // the bands and stretch of pictures without parameters
  heights: boolean; // whether samples are heights, which can be shaded
  crs: { code?: string; name: string } | null;
  crs_problem?: string;
  epsg?: number; // of a system that the server cannot compute
  tile_matrix_sets: TileSet[];
  styles: NamedStyle[];
  statistics: { version: string; progress?: number };
}

/** The content of pictures in a style, as request parameters. */
export interface Shown {
  mode: "rgb" | "gray" | "colormap" | "palette" | "classes" | "terrain";
  bidx?: number[]; // from 1; none for an expression
  opacity?: number;
  expression?: string;
  algorithm?: string;
  algorithm_params?: Record<string, number | string>;
  stretch: string;
  rescale: [low: number, high: number][] | null; // null until the statistics are known, and without a stretch
  colormap_name?: string;
  resampling: string;
}

export interface Band {
  index: number; // from 1
  role: "color" | "gray" | "palette" | "classes" | "opacity" | "data";
  name?: string;
  color: string;
  nodata: Numeric | null;
  unit?: string;
  scale?: number;
  offset?: number;
  wavelength?: number;
}

export interface TileSet {
  id: string;
  minzoom: number;
  maxzoom: number;
  tiles: string;
}

export interface NamedStyle {
  name: string;
  title: string;
  shows: Shown | null;
}

/** Statistics by the names of bands: b1, b2, … */
export type StatisticsDocument = Record<string, BandStatistics>;

export interface BandStatistics {
  min: number | null;
  max: number | null;
  mean: number | null;
  std: number | null;
  median: number | null;
  percentile_2: number | null;
  percentile_98: number | null;
  count: number;
  valid_percent: number;
  histogram: [counts: number[], edges: number[]] | null;
}

export interface PointDocument {
  coordinates: [number, number];
  column: number;
  row: number;
  values: (Numeric | null)[];
  samples?: (Numeric | null)[];
  units?: string[];
}

export interface LegendDocument {
  title: string;
  unit?: string;
  kind: "ramp" | "stops" | "intervals" | "categories";
  min?: Numeric;
  max?: Numeric;
  entries: LegendEntry[];
}

export interface LegendEntry {
  value?: number;
  low?: number;
  high?: number;
  label?: string;
  color: string;
}

export interface ColorMap {
  name: string;
  group: string;
  colors: string[];
}

export interface ErrorDocument {
  error: { code: string; message: string };
}
