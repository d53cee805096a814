// Uses the viewer as a person does. Arguments: { address, place }: the server, and the start of the
// hash. Returns pictures of the map by name, and texts of the page.

import { mapAtRest } from './rest.mjs';

export default async function use(context, { address, place }) {
  const pictures = {};
  const page = await context.newPage();
  await page.goto(`${address}/#${place}`);
  pictures.opened = await pictureOf(page);
  const layers = await page.locator('#layer-list button[data-layer]').evaluateAll((buttons) => buttons.map((button) => button.dataset.layer));

  await page.click('#tab-style');
  await page.selectOption('#stretch', 'percentile');
  pictures.stretched = await pictureOf(page);
  const shared = page.url();

  const other = await context.newPage();
  await other.goto(shared);
  pictures.shared = await pictureOf(other);
  await other.close();

  await page.click('#tab-layers');
  await page.click('#layer-utm');
  pictures.switched = await pictureOf(page);
  const switched = page.url();
  const current = await page.locator('#layer-list [aria-current=true]').evaluateAll((buttons) => buttons.map((button) => button.dataset.layer));

  await page.goBack();
  pictures.back = await pictureOf(page);
  const back = page.url();

  await page.setViewportSize({ width: 390, height: 844 });
  await page.reload();
  pictures.phone = await pictureOf(page);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

  return { screenshots: Object.values(pictures), value: { names: Object.keys(pictures), layers, shared, switched, current, back, overflow } };
}

async function pictureOf(page) {
  await mapAtRest(page);
  return (await page.locator('#map').screenshot()).toString('base64');
}
