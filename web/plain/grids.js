// The grids that a layer's tiles lie in. A grid has its own plane: x to the right and y down, in pixels of level 0.

const tilePixels = 256;

// Web maps are square, and so end at this latitude.
const lastLatitude = 85.0511287798;

// mapGrid is the grid of web maps. Its outside coordinates are longitude and latitude.
export function mapGrid(layer, levels) {
  const [west, south, east, north] = layer.bounds;
  const grid = {
    minZoom: levels.minzoom,
    maxZoom: levels.maxzoom,
    tiles: `tiles/${encodeURIComponent(layer.id)}/{z}/{x}/{y}`,
    digits: 5,
    toPlane: ([longitude, latitude]) => {
      const sine = Math.sin((Math.min(Math.max(latitude, -lastLatitude), lastLatitude) * Math.PI) / 180);
      const y = 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
      return [(longitude / 360 + 0.5) * tilePixels, y * tilePixels];
    },
    fromPlane: ([x, y]) => {
      const latitude = (2 * Math.atan(Math.exp((0.5 - y / tilePixels) * 2 * Math.PI)) - Math.PI / 2) * (180 / Math.PI);
      return [(x / tilePixels - 0.5) * 360, latitude];
    },
    // How long a pixel of the screen is on the ground.
    unitsPerPixel: ([, latitude], zoom) => (40075016.686 * Math.cos((latitude * Math.PI) / 180)) / (tilePixels * 2 ** zoom),
    unit: "m",
    describe: ([longitude, latitude]) =>
      `${Math.abs(latitude).toFixed(4)}° ${latitude < 0 ? "S" : "N"}, ${Math.abs(longitude).toFixed(4)}° ${longitude < 0 ? "W" : "E"}`,
  };
  // A layer across the date line ends west of where it begins.
  const [left, top] = grid.toPlane([west, north]);
  const [right, bottom] = grid.toPlane([east < west ? east + 360 : east, south]);
  return { ...grid, area: [left, top, right, bottom], columns: (zoom) => 2 ** zoom };
}

// imageGrid is the grid of a file's own pixels. Its outside coordinates are pixels of the full image.
export function imageGrid(layer, levels) {
  const full = 2 ** levels.maxzoom;
  return {
    minZoom: 0,
    maxZoom: levels.maxzoom,
    tiles: `tiles/${encodeURIComponent(layer.id)}/image/{z}/{x}/{y}`,
    digits: 0,
    toPlane: ([x, y]) => [x / full, y / full],
    fromPlane: ([x, y]) => [x * full, y * full],
    unitsPerPixel: (_, zoom) => full / 2 ** zoom,
    unit: "px",
    describe: ([x, y]) => `${Math.round(x)}, ${Math.round(y)} px`,
    area: [0, 0, layer.width / full, layer.height / full],
    columns: () => Infinity,
  };
}

// gridOf picks the grid that shows a layer: the map, or the image for one without a place on the earth.
export function gridOf(layer) {
  const levels = (id) => (layer.tile_matrix_sets ?? []).find((set) => set.id === id);
  if (layer.bounds && levels("WebMercatorQuad")) {
    return mapGrid(layer, levels("WebMercatorQuad"));
  }
  const last = Math.max(0, Math.ceil(Math.log2(Math.max(layer.width, layer.height) / tilePixels)));
  return imageGrid(layer, levels("image") ?? { minzoom: 0, maxzoom: last });
}
