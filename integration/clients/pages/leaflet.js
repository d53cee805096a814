import { load, painted } from './library.js';

// Shows tiles of a URL template. Arguments: { template, options, center: [lat, lon], zoom }.
export default async function show(element, { template, options, center, zoom }) {
  await load('leaflet/dist/leaflet.css', 'leaflet/dist/leaflet.js');
  const map = L.map(element, {
    center, zoom, fadeAnimation: false, zoomAnimation: false, zoomControl: false, attributionControl: false,
  });
  element.style.background = 'none';
  const layer = L.tileLayer(template, { maxZoom: 30, ...options });
  await new Promise((resolve, reject) => {
    layer.on('load', resolve);
    layer.on('tileerror', ({ error, tile }) => reject(new Error(`a tile failed: ${tile.src} ${error}`)));
    layer.addTo(map);
  });
  await painted();
  return L.version;
}
