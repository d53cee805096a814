import * as maplibre from '/node_modules/maplibre-gl/dist/maplibre-gl.mjs';
import { load } from './library.js';

// Shows one layer over one source. Arguments: { source, layer, center: [lon, lat], zoom }.
export default async function show(element, { source, layer, center, zoom }) {
  await load('maplibre-gl/dist/maplibre-gl.css');
  const map = new maplibre.Map({
    container: element, center, zoom, interactive: false, attributionControl: false, fadeDuration: 0, maxTileCacheSize: 0,
    canvasContextAttributes: { antialias: false },
    style: { version: 8, sources: { source }, layers: [{ id: 'layer', source: 'source', ...layer }] },
  });
  await new Promise((resolve, reject) => {
    map.once('idle', resolve);
    map.on('error', ({ error }) => reject(error));
  });
  return maplibre.getVersion();
}
