// Opens a layer while its overviews seem to be under construction. Arguments: { address, layer }.
// Returns the texts of the page at that time, and after the overviews are finished.

const busy = { status: 503, headers: { 'Retry-After': '1' }, json: { error: { code: 'busy', message: 'the overviews are being made' } } };

export default async function open(context, { address, layer }) {
  const page = await context.newPage();
  let isMade = false;
  const asked = { waiting: 0, tilesAfter: [] };
  await page.route(`**/layers/${layer}`, async (route) => {
    const response = await route.fetch();
    const json = await response.json();
    await route.fulfill({ response, json: isMade ? json : { ...json, overviews: { making: true, progress: 0.4 } } });
  });
  await page.route(new RegExp(`/(tiles/${layer}|layers/${layer}/preview)`), async (route) => {
    const url = route.request().url();
    if (isMade) {
      asked.tilesAfter.push(url);
      await route.continue();
    } else if (/[?&]wait=0(&|$)/.test(url)) {
      asked.waiting++;
      await route.fulfill(busy);
    } // all other requests stay unanswered
  });
  await page.goto(`${address}/#${layer}`);
  await page.waitForFunction(() => /40 %/.test(document.querySelector('#notice-text').textContent));
  await page.waitForFunction((id) => /40 %/.test(document.querySelector(`#layer-${id} .card-facts`)?.textContent), layer);
  const before = await page.evaluate((id) => ({
    notice: document.querySelector('#notice-text').textContent,
    card: document.querySelector(`#layer-${id} .card-facts`).textContent,
    progress: document.querySelector('#notice-progress').value,
  }), layer);
  const tile = page.waitForRequest((request) => isMade && request.url().includes(`/tiles/${layer}/`));
  isMade = true;
  await tile;
  await page.waitForSelector(`#layer-${layer} .preview.loaded`);
  await page.waitForSelector('#notice', { state: 'hidden' });
  await page.waitForFunction(() => document.querySelector('#map').getAttribute('aria-busy') === 'false');
  const after = await page.textContent(`#layer-${layer} .card-facts`);
  const tiles = asked.tilesAfter.filter((url) => url.includes('/tiles/'));
  return { screenshots: [], value: { ...before, after, waiting: asked.waiting, tiles: tiles.length, stillWaiting: tiles.filter((url) => url.includes('wait=')).length } };
}
