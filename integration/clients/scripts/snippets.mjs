// Pastes the viewer's code snippets into pages that have the library, as people do. Arguments: {
// address, layer }. The stage serves the libraries. Returns the names of the clients with what each
// shows.

import { atRest, mapAtRest } from './rest.mjs';

const libraries = {
  leaflet: ['leaflet/dist/leaflet.css', 'leaflet/dist/leaflet.js'],
  openlayers: ['ol/ol.css', 'ol/dist/ol.js'],
  maplibre: ['maplibre-gl/dist/maplibre-gl.css'],
};

export default async function paste(context, { address, layer }, stage) {
  const viewer = await context.newPage();
  await viewer.goto(`${address}/#${layer}`);
  await mapAtRest(viewer);
  await viewer.click('#tab-use');
  const screenshots = [];
  for (const [client, files] of Object.entries(libraries)) {
    await viewer.click(`#use-${client}`);
    const code = await viewer.locator('.snippet pre code').first().textContent();
    screenshots.push(await pictureOf(context, stage, files, code, address));
  }
  return { screenshots, value: Object.keys(libraries) };
}

async function pictureOf(context, stage, files, code, address) {
  const page = await context.newPage();
  await page.goto(`${stage}/`);
  await page.evaluate(async (files) => {
    const { load } = await import('/pages/library.js');
    await load(...files);
    if (files.some((file) => file.includes('maplibre'))) {
      window.maplibregl = await import('/node_modules/maplibre-gl/dist/maplibre-gl.mjs');
    }
  }, files);
  const asked = page.waitForEvent('requestfinished', (request) => request.url().startsWith(address));
  await page.evaluate((code) => { new Function(code)(); }, code);
  await asked;
  await atRest(page);
  const picture = await page.screenshot();
  await page.close();
  return picture.toString('base64');
}
