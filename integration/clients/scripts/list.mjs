// Uses a list of thousands of layers. Arguments: { address, total, late, pixels, words, found }:
// the server, its number of layers, a layer far down the list, a layer without a place on earth, a
// search text, and the only layer that it finds.

export default async function use(context, { address, late, pixels, words }) {
  const page = await context.newPage();
  await page.goto(`${address}/`);
  await page.waitForSelector('.preview.loaded');
  const opened = { ...await listOf(page), hash: new URL(page.url()).hash };

  await page.fill('#filter', words);
  await page.waitForFunction(() => document.querySelectorAll('#layer-list [data-layer]').length === 1);
  const found = await listOf(page);
  await page.fill('#filter', 'no layer has this');
  await page.waitForSelector('#no-match');
  await page.fill('#filter', '');
  await page.waitForFunction(() => document.querySelectorAll('#layer-list [data-layer]').length > 1);

  const linked = await shownBy(context, address, late);
  const below = await shownBy(context, address, pixels);

  await page.focus('#filter');
  await page.keyboard.press('ArrowDown');
  const walked = [];
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowUp', 'End', 'Home']) {
    await page.waitForFunction((before) => document.activeElement?.dataset.layer && document.activeElement.dataset.layer !== before, walked.at(-1) ?? '');
    walked.push(await page.evaluate(() => document.activeElement.dataset.layer));
    await page.keyboard.press(key);
  }
  await page.waitForFunction((first) => document.activeElement?.dataset.layer === first, walked[0]);
  await page.keyboard.press(']');
  await page.waitForFunction((second) => document.querySelector('[aria-current=true]')?.dataset.layer === second, walked[1]);
  return { screenshots: [], value: { opened, found, linked, below, walked } };
}

// shownBy opens the address of a layer and returns whether the list shows it.
async function shownBy(context, address, id) {
  const page = await context.newPage();
  await page.goto(`${address}/#${id}`);
  await page.waitForSelector('[aria-current=true]');
  const shown = { ...await listOf(page), isInView: await page.evaluate(() => {
    const [card, view] = [document.querySelector('[aria-current=true]'), document.querySelector('#pages')].map((of) => of.getBoundingClientRect());
    return card.top >= view.top && card.bottom <= view.bottom;
  }) };
  await page.close();
  return shown;
}

function listOf(page) {
  return page.evaluate(() => {
    const cards = [...document.querySelectorAll('#layer-list [data-layer]')];
    return {
      count: document.querySelector('#count').textContent,
      cards: cards.map((card) => card.dataset.layer),
      current: document.querySelector('[aria-current=true]')?.dataset.layer ?? '',
      heading: document.querySelector('.cards-heading')?.textContent ?? '',
      isCut: cards.some((card) => [...card.querySelectorAll('.card-title')].some((title) => title.scrollWidth > title.clientWidth + 1)),
    };
  });
}
