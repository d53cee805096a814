// A stage for map clients: one headless browser that the Go tests control over HTTP. A request
// runs a performance: either a page of pages/, which shows something with a client library, or
// a script of scripts/, which uses a page as a person does.
//
// The stage prints its address on standard output, and ends when its standard input closes.

import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { Listener } from './listener.mjs';
import { follow } from './scripts/rest.mjs';

const folder = path.dirname(fileURLToPath(import.meta.url));
const patienceMilliseconds = 120_000;

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
  args: [
    '--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking',
    '--disable-component-update', '--disable-sync', '--disable-lcd-text', '--force-color-profile=srgb',
    '--use-angle=swiftshader', '--enable-unsafe-swiftshader', // WebGL without a graphics card
    '--disable-gpu-compositing', // GPU compositing in software is several times slower
  ],
});

const mimeTypes = {
  '.css': 'text/css', '.js': 'text/javascript', '.mjs': 'text/javascript', '.json': 'application/json',
  '.png': 'image/png', '.svg': 'image/svg+xml', '.wasm': 'application/wasm', '.jpg': 'image/jpeg',
};

// The background has a color that no layer has, to show where a client draws nothing.
const emptyPage = `<!doctype html><meta charset="utf-8"><title>a client</title><link rel="icon" href="data:,">
<style>html, body, #map { margin: 0; width: 100%; height: 100%; overflow: hidden; background: #ff00ff }</style>
<div id="map"></div>`;

async function serveFile(pathname, response) {
  if (pathname === '/') {
    response.writeHead(200, { 'Content-Type': 'text/html' }).end(emptyPage);
    return;
  }
  const file = path.join(folder, path.normalize(pathname));
  const type = mimeTypes[path.extname(file)];
  if (!/^\/(pages|node_modules)\//.test(path.normalize(pathname)) || !type) throw new Error(`there is no ${pathname}`);
  response.writeHead(200, { 'Content-Type': type }).end(await readFile(file));
}

// perform runs a performance and returns its result with all errors of the browser.
async function perform({ allowedStatuses = [], ...performance }) {
  const listener = new Listener(allowedStatuses);
  try {
    const result = await (performance.page ? showPage : runScript)(performance, listener);
    return { ...result, complaints: listener.complaints, requests: listener.requests };
  } catch (error) {
    return { complaints: [...listener.complaints, String(error.stack ?? error)], requests: listener.requests };
  }
}

// A script has a browser context of its own.
async function runScript({ script, settings = {}, ...screen }, listener) {
  const context = await newContext(screen);
  context.on('page', (page) => {
    listener.listen(page);
    follow(page);
  });
  try {
    const { default: run } = await import(`./scripts/${script}.mjs`);
    return await run(context, settings, address);
  } finally {
    await context.close();
  }
}

async function newContext({ width, height, pixelRatio = 1 }) {
  const context = await browser.newContext({ viewport: { width, height }, deviceScaleFactor: pixelRatio, reducedMotion: 'reduce' });
  context.setDefaultTimeout(patienceMilliseconds);
  return context;
}

// pages holds the open pages by pixel ratio. Opening a page takes longer than showing a client in
// it.
const pages = new Map();

// showPage shows a client in a page with an empty cache, and clears the page afterwards.
async function showPage({ page: client, settings = {}, ...screen }, listener) {
  const { width, height, pixelRatio = 1 } = screen;
  const page = pages.get(pixelRatio) ?? await (await newContext(screen)).newPage();
  pages.delete(pixelRatio); // until the client is removed
  await page.setViewportSize({ width, height });
  const session = await page.context().newCDPSession(page);
  await session.send('Network.clearBrowserCache');
  await session.detach();
  listener.listen(page);
  const result = await show(page, client, settings);
  await page.goto('about:blank');
  page.removeAllListeners();
  pages.set(pixelRatio, page);
  return result;
}

async function show(page, client, settings) {
  await page.goto(`${address}/`);
  const shown = page.evaluate(async ([client, settings]) => {
    const { default: show } = await import(`/pages/${client}.js`);
    return show(document.getElementById('map'), settings);
  }, [client, settings]);
  const value = await within(shown, `${client} to be ready`);
  return { value, screenshots: [(await page.screenshot()).toString('base64')] };
}

function within(promise, what) {
  return new Promise((resolve, reject) => {
    const alarm = setTimeout(() => reject(new Error(`waited ${patienceMilliseconds} ms for ${what}`)), patienceMilliseconds);
    promise.then(resolve, reject).finally(() => clearTimeout(alarm));
  });
}

async function readJSON(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks));
}

const server = createServer(async (request, response) => {
  try {
    if (request.method === 'POST') {
      const result = await perform(await readJSON(request));
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(result));
    } else {
      await serveFile(new URL(request.url, address).pathname, response);
    }
  } catch (error) {
    response.writeHead(404, { 'Content-Type': 'text/plain' }).end(String(error));
  }
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const address = `http://127.0.0.1:${server.address().port}`;
console.log(address);

process.stdin.resume().on('end', async () => {
  await browser.close();
  process.exit(0);
});
