// The page: it asks the server for its layers and joins the list, the map, and the recipes.

import { extensionOf } from "./allow.js";
import { ask, failUnlessOK } from "./ask.js";
import { gridOf } from "./grids.js";
import { SlippyMap } from "./map.js";
import { recipesOf } from "./recipes.js";
import { drawScale } from "./scale.js";

const pictureExtensions = ["webp", "png", "jpg"]; // WebP has a tenth of the bytes of PNG
const filterFrom = 7; // layers

const byID = (id) => document.getElementById(id);
const map = new SlippyMap(byID("map"));
const state = { layers: [], selected: undefined, grid: undefined, recipe: "URLs", hash: "" };

async function start() {
  say("Loading layers…");
  try {
    state.layers = (await ask("layers")).layers;
  } catch (error) {
    say(error.message, start);
    return;
  }
  say("");
  byID("count").textContent = state.layers.length === 1 ? "1 layer" : `${state.layers.length} layers`;
  document.body.classList.toggle("no-map", state.layers.length === 0);
  if (state.layers.length === 0) {
    byID("message").replaceChildren(byID("empty").content.cloneNode(true));
    return;
  }
  listLayers();
  await followHash();
}

// say shows a message in place of the details, with a button to try again if there is what to try.
function say(text, again) {
  const message = byID("message");
  message.textContent = text;
  message.classList.toggle("error", Boolean(again));
  if (again) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Try again";
    button.addEventListener("click", again);
    message.append(" ", button);
  }
}

function listLayers() {
  byID("list").hidden = state.layers.length < 2;
  byID("filter").hidden = state.layers.length < filterFrom;
  byID("cards").replaceChildren(...state.layers.map(cardOf));
}

function cardOf(layer) {
  const card = byID("card").content.cloneNode(true);
  const button = card.querySelector("button");
  const frame = card.querySelector(".preview");
  const image = frame.querySelector("img");
  button.dataset.layer = layer.id;
  card.querySelector(".card-title").textContent = layer.title;
  const facts = [layer.id !== layer.title && layer.id, layer.bounds ? "map" : "pixels only"];
  card.querySelector(".card-facts").textContent = facts.filter(Boolean).join(" · ");
  image.addEventListener("load", () => frame.classList.add("loaded"));
  image.addEventListener("error", () => frame.classList.add("failed"));
  image.src = `layers/${encodeURIComponent(layer.id)}/preview.${extensionOf(layer, ...pictureExtensions)}?max_size=256`;
  button.addEventListener("click", () => select(layer.id));
  return card;
}

// select opens a layer, at a place or as a whole.
async function select(id, place) {
  state.selected = id;
  for (const card of document.querySelectorAll(".card")) {
    card.setAttribute("aria-current", String(card.dataset.layer === id));
  }
  let layer;
  try {
    layer = await ask(`layers/${encodeURIComponent(id)}`);
  } catch (error) {
    if (state.selected === id) {
      byID("details").hidden = true;
      map.close();
      state.grid = undefined;
      say(error.message, () => select(id, place));
    }
    return;
  }
  if (state.selected !== id) {
    return; // another one was chosen in the meantime
  }
  say("");
  state.grid = gridOf(layer);
  showDetails(layer);
  map.open(state.grid, extensionOf(layer, ...pictureExtensions), place);
}

function showDetails(layer) {
  byID("details").hidden = false;
  byID("title").textContent = layer.title;
  document.title = `${layer.title} – tileserver`;
  byID("map").setAttribute("aria-label", `Map of ${layer.title}`);
  const facts = [
    ["Size", `${layer.width} × ${layer.height}`],
    ["Samples", `${layer.bands.length} × ${layer.dtype}`],
    ["Place", placeOf(layer)],
    ["Zoom", `${state.grid.minZoom} – ${state.grid.maxZoom}`],
  ];
  byID("facts").replaceChildren(...facts.map(([name, value]) => {
    const fact = document.createElement("div");
    fact.append(Object.assign(document.createElement("dt"), { textContent: name }));
    fact.append(Object.assign(document.createElement("dd"), { textContent: value, title: value }));
    return fact;
  }));
  showRecipes(recipesOf(layer, state.grid));
}

function placeOf(layer) {
  if (!layer.crs) {
    return layer.crs_problem || "None on the earth";
  }
  return layer.crs.code || layer.crs.name;
}

function showRecipes(recipes) {
  const tabs = recipes.map((recipe) => {
    const tab = document.createElement("button");
    tab.type = "button";
    tab.role = "tab";
    tab.id = `tab-${recipe.name}`;
    tab.textContent = recipe.name;
    tab.setAttribute("aria-controls", "recipe");
    tab.addEventListener("click", () => choose(recipe));
    return tab;
  });
  const choose = (recipe) => {
    state.recipe = recipe.name;
    tabs.forEach((tab) => {
      const chosen = tab.textContent === recipe.name;
      tab.ariaSelected = String(chosen);
      tab.tabIndex = chosen ? 0 : -1;
    });
    byID("recipe").setAttribute("aria-labelledby", `tab-${recipe.name}`);
    showRecipe(recipe);
  };
  byID("tabs").replaceChildren(...tabs);
  choose(recipes.find((recipe) => recipe.name === state.recipe) ?? recipes[0]);
}

function showRecipe(recipe) {
  const parts = recipe.addresses.map(({ name, text }) => {
    const part = byID("address").content.cloneNode(true);
    part.querySelector(".address-name").textContent = name;
    const code = part.querySelector("code");
    code.textContent = text;
    code.parentElement.classList.toggle("line", !text.includes("\n"));
    const copy = part.querySelector(".copy");
    copy.setAttribute("aria-label", `Copy: ${name}`);
    copy.addEventListener("click", () => copyFrom(code, copy));
    return part;
  });
  const note = document.createElement("p");
  note.className = "quiet";
  note.textContent = recipe.note ?? "";
  byID("recipe").replaceChildren(...parts, note);
}

// copyFrom puts a text on the clipboard. Pages without TLS may not do so themselves; there it is selected for the person.
async function copyFrom(code, button) {
  let done = "Copied";
  try {
    await navigator.clipboard.writeText(code.textContent);
  } catch {
    getSelection().selectAllChildren(code);
    done = document.execCommand("copy") ? "Copied" : "Selected";
  }
  button.textContent = done;
  setTimeout(() => {
    button.textContent = "Copy";
  }, 1500);
}

// The address of the page says what it shows: #layer/zoom/x/y, where x and y are longitude and latitude, or pixels.
async function followHash() {
  const [id, zoom, x, y] = location.hash.slice(1).split("/").map(decodeURIComponent);
  const known = state.layers.find((layer) => layer.id === id) ?? state.layers[0];
  const numbers = [zoom, x, y].map((text) => (text ? Number(text) : NaN));
  const place = known.id === id && numbers.every(Number.isFinite) ? { zoom: numbers[0], at: numbers.slice(1) } : undefined;
  if (known.id === state.selected && place) {
    map.goTo(place);
    return;
  }
  await select(known.id, place);
}

let hashTimer;
map.onView = (view) => {
  const at = state.grid.fromPlane([view.x, view.y]);
  byID("position").textContent = `${state.grid.describe(at)} · zoom ${view.zoom.toFixed(1)}`;
  drawScale(byID("scale"), state.grid.unitsPerPixel(at, view.zoom), state.grid.unit);
  clearTimeout(hashTimer);
  hashTimer = setTimeout(() => {
    if (!state.grid) {
      return;
    }
    const place = at.map((coordinate) => coordinate.toFixed(state.grid.digits)).join("/");
    state.hash = `#${encodeURIComponent(state.selected)}/${view.zoom.toFixed(2)}/${place}`;
    history.replaceState(null, "", state.hash);
  }, 250);
};

map.onTiles = ({ loading, failed }) => {
  byID("map").classList.toggle("busy", loading > 0);
  const isNew = failed > 0 && byID("map-trouble").hidden;
  byID("map-trouble").hidden = failed === 0;
  if (isNew) {
    explain(map.tiles.failedAddress());
  }
};

// explain says why a tile did not come. Pictures do not tell, so the server is asked once more.
async function explain(address) {
  byID("map-reason").textContent = "Some tiles could not be loaded.";
  try {
    await fetch(address).then(failUnlessOK);
  } catch (error) {
    byID("map-reason").textContent = `Some tiles could not be loaded: ${error.message}`;
  }
}

byID("zoom-in").addEventListener("click", () => state.grid && map.glide(1));
byID("zoom-out").addEventListener("click", () => state.grid && map.glide(-1));
byID("zoom-fit").addEventListener("click", () => state.grid && map.fit());
byID("map-retry").addEventListener("click", () => map.retry());

byID("filter").addEventListener("input", (event) => {
  const wanted = event.target.value.trim().toLowerCase();
  let shown = 0;
  state.layers.forEach((layer, index) => {
    const matches = `${layer.id} ${layer.title}`.toLowerCase().includes(wanted);
    byID("cards").children[index].hidden = !matches;
    shown += matches;
  });
  byID("no-match").hidden = shown > 0;
});

// Arrow keys go from tab to tab.
byID("tabs").addEventListener("keydown", (event) => {
  const tabs = [...byID("tabs").children];
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (step) {
    const next = tabs[(tabs.indexOf(event.target) + step + tabs.length) % tabs.length];
    next.focus();
    next.click();
  }
});

window.addEventListener("hashchange", () => state.layers.length > 0 && location.hash !== state.hash && followHash());

start();
