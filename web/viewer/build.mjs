// Builds the viewer into ../dist, or its tests into test/built. Names of files that may be kept for ever hold a hash of
// their content, and index.html names them.

import { build } from "esbuild";
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";

const dist = "../dist";

async function buildViewer() {
  await clear();
  const { metafile } = await build({
    entryPoints: ["src/main.ts", "src/style.css"],
    outdir: join(dist, "assets"),
    entryNames: "[name]-[hash]",
    bundle: true,
    minify: true,
    format: "esm",
    target: ["es2022"],
    supported: { "color-functions": true },
    charset: "utf8",
    metafile: true,
    legalComments: "none", // they are in licenses.txt, all of them
  });
  const nameOf = (extension) => basename(Object.keys(metafile.outputs).find((path) => path.endsWith(extension)));
  const page = (await readFile("index.html", "utf8"))
    .replace("src/main.ts", `assets/${nameOf(".js")}`)
    .replace("src/style.css", `assets/${nameOf(".css")}`);
  await writeFile(join(dist, "index.html"), page);
  await copyFile("../plain/favicon.svg", join(dist, "favicon.svg"));
  await writeFile(join(dist, "licenses.txt"), await licensesOf(Object.keys(metafile.inputs)));
  for (const [path, { bytes }] of Object.entries(metafile.outputs)) {
    console.log(`${path}  ${Math.ceil(bytes / 1024)} KiB`);
  }
}

// clear empties the folder but for the file that keeps it in the repository.
async function clear() {
  await mkdir(dist, { recursive: true });
  for (const name of await readdir(dist)) {
    if (name !== ".gitignore") {
      await rm(join(dist, name), { recursive: true });
    }
  }
}

// licensesOf is the licenses of all packages of which something is in the viewer.
async function licensesOf(inputs) {
  const packages = inputs.map((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]).filter(Boolean);
  const texts = [...new Set(packages)].sort().map(async (name) => {
    const folder = join("node_modules", name);
    const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry));
    const { version } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
    return `${name} ${version}\n\n${(await readFile(join(folder, file), "utf8")).trim()}\n`;
  });
  return `The viewer is built of these, and of the server's own sources.\n\n${(await Promise.all(texts)).join("\n\n")}`;
}

async function buildTests() {
  const tests = (await readdir("test")).filter((name) => name.endsWith(".test.js"));
  await rm("test/built", { recursive: true, force: true });
  await build({
    entryPoints: tests.map((name) => join("test", name)),
    outdir: "test/built",
    bundle: true,
    format: "esm",
    platform: "node",
    target: ["node20"],
  });
}

await (process.argv.includes("--tests") ? buildTests() : buildViewer());
