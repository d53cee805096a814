import { load } from './library.js';

// Shows a layer of a server. Arguments: { source: [kind, options], projection, proj4: { code:
// definition }, center: [x, y], resolution, extent }. Returns how the client understood the layer.
export default async function show(element, { source: [kind, options], projection, proj4: definitions = {}, center, resolution }) {
  await load('ol/ol.css', 'ol/dist/ol.js', 'proj4/dist/proj4.js');
  for (const [code, definition] of Object.entries(definitions)) proj4.defs(code, definition);
  ol.proj.proj4.register(proj4);

  const source = await sources[kind]({ interpolate: false, crossOrigin: 'anonymous', transition: 0, ...options });
  await ready(source);
  const map = new ol.Map({
    target: element, controls: [], interactions: [], pixelRatio: 1,
    layers: [new ol.layer.Tile({ source })],
    view: new ol.View({ projection, center, resolution, constrainResolution: false, multiWorld: true }),
  });
  const failures = [];
  source.on('tileloaderror', ({ tile }) => failures.push(`a tile failed: ${tile.src_ ?? tile.key}`));
  await new Promise((resolve) => map.once('rendercomplete', resolve));
  if (failures.length > 0) throw new Error(failures.join('\n'));
  const grid = source.getTileGrid();
  return {
    projection: source.getProjection()?.getCode(),
    levels: grid.getResolutions().length,
    format: source.getFormat?.(),
    style: source.getStyle?.(),
    requestEncoding: source.getRequestEncoding?.(),
  };
}

const sources = {
  XYZ: (options) => new ol.source.XYZ(options),
  TileJSON: (options) => new ol.source.TileJSON(options),
  OGCMapTile: (options) => new ol.source.OGCMapTile(options),
  async WMTS({ capabilities, layer, matrixSet, requestEncoding, ...options }) {
    const response = await fetch(capabilities);
    const document = new ol.format.WMTSCapabilities().read(await response.text());
    const understood = ol.source.WMTS.optionsFromCapabilities(document, { layer, matrixSet, requestEncoding });
    if (!understood) throw new Error(`${capabilities} has no ${layer} in ${matrixSet}`);
    return new ol.source.WMTS({ ...understood, ...options });
  },
};

function ready(source) {
  return new Promise((resolve, reject) => {
    const look = () => {
      if (source.getState() === 'ready') resolve();
      if (source.getState() === 'error') reject(source.error ?? new Error('the source has an error'));
    };
    source.on('change', look);
    look();
  });
}
