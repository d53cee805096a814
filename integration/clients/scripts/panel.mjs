// Reads the viewer's panel for several layers, and changes styles with it. Arguments: { address,
// layers }. Returns the panel's content for each layer, and the results of the changes.

import { mapAtRest } from './rest.mjs';

export default async function look(context, { address, layers }) {
  const page = await context.newPage();
  const panels = {};
  const changes = {};
  for (const layer of layers) {
    await open(page, address, layer);
    panels[layer] = await panelOf(page);
    changes[layer] = await change[layer]?.(page); // at once, since opening a page takes longest
  }

  await open(page, address, 'named');
  await page.click('#preset-ndvi');
  await page.waitForSelector('#legend h2');
  const index = { legend: await page.textContent('#legend h2'), hasTerrain: await page.isVisible('#terrain-section') };

  await open(page, address, 'named?style=nope');
  const unknown = { notice: await page.textContent('#notice-text'), hash: await page.evaluate(() => location.hash) };
  await page.click('#compare');
  await page.waitForSelector('#side-right:visible');
  const beside = await page.textContent('#side-right');

  const left = await leaveAfterAChange(page, address);
  await page.close();
  const { named: changed, many: written, elevation: colored } = changes;
  return { value: { panels, changed, written, colored, index, unknown, beside, left, tapped: await tap(context.browser(), address) } };
}

// change holds what is done to layers after they were opened. Its functions return what the page
// then shows.
const change = {
  async named(page) {
    await page.selectOption('#band-blue', '4');
    await mapAtRest(page);
    return { hash: await hashWith(page, 'bidx'), ...await panelOf(page) };
  },
  async many(page) {
    await page.fill('#band-green', '257');
    await page.press('#band-green', 'Enter');
    return { hash: await hashWith(page, 'bidx'), ...await panelOf(page) };
  },
  async elevation(page) {
    await page.click('#colormap');
    await page.fill('#colormap-filter', 'vir');
    await page.press('#colormap-filter', 'Enter');
    return { hash: await hashWith(page, 'colormap_name'), label: await page.textContent('#colormap'), isOpen: await page.isVisible('#colormap-popup') };
  },
};

// leaveAfterAChange moves a limit of one layer with a key, switches to the next layer at once, and
// returns the address after all delayed updates.
async function leaveAfterAChange(page, address) {
  await open(page, address, 'named');
  await page.focus('.limit');
  await page.keyboard.press('ArrowRight');
  await hashWith(page, 'rescale');
  await page.keyboard.press(']');
  await page.waitForFunction(() => !location.hash.startsWith('#named'));
  await page.waitForTimeout(500);
  return page.evaluate(() => location.hash);
}

async function open(page, address, layer) {
  await page.goto('about:blank'); // otherwise only the hash changes, and the panel keeps its state
  await page.goto(`${address}/#${layer}`);
  await page.click('#tab-style');
  await page.waitForFunction(() => document.querySelector('#statistics-note')?.hidden);
}

// hashWith waits until the hash of the page contains a text, and returns the hash.
async function hashWith(page, text) {
  await page.waitForFunction((text) => location.hash.includes(text), text);
  return page.evaluate(() => location.hash);
}

async function panelOf(page) {
  await page.waitForFunction(() => document.querySelector('#statistics-note')?.hidden);
  return page.evaluate(() => {
    const isShown = (element) => element?.checkVisibility() ?? false;
    const texts = (selector) => [...document.querySelectorAll(selector)].filter(isShown).map((element) => element.textContent);
    const inputs = ['red', 'green', 'blue', 'gray'].map((channel) => document.querySelector(`#band-${channel}`)).filter(isShown);
    const code = document.querySelector('#panel-use pre code');
    const pages = document.querySelector('#pages');
    return {
      mode: document.querySelector('#bands-mode [aria-pressed=true]')?.dataset.value ?? '',
      bands: inputs.map((input) => Number.parseInt(input.value, 10)),
      limits: texts('.limits-label'),
      ranges: [...document.querySelectorAll('.limits-row')].filter(isShown).map((row) => [...row.querySelectorAll('input')].map((input) => input.valueAsNumber)),
      stretch: document.querySelector('#stretch option').textContent,
      hasTerrain: isShown(document.querySelector('#terrain-section')),
      tiles: code?.textContent ?? '',
      below: pages.scrollHeight - pages.clientHeight,
    };
  });
}

// Touch has no hover, so a tap must show the values.
async function tap(browser, address) {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  try {
    const page = await context.newPage();
    await page.goto(`${address}/#named`);
    await mapAtRest(page);
    const box = await page.locator('#map').boundingBox();
    await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
    await page.waitForSelector('#pin .pin-row');
    await page.waitForTimeout(600); // within this time, a browser reports the end of the touch
    const card = await page.locator('#pin').boundingBox();
    const isInside = card.x >= box.x && card.y >= box.y && card.x + card.width <= box.x + box.width && card.y + card.height <= box.y + box.height;
    const rows = await page.locator('#pin .pin-row').allTextContents();
    await page.tap('#pin-close');
    return { rows, isInside, isGone: !(await page.isVisible('#pin')) };
  } finally {
    await context.close();
  }
}
