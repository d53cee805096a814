// Loads a library that is not a module, with its style sheet if it has one.

export async function load(...files) {
  for (const file of files) {
    await new Promise((resolve, reject) => {
      const element = file.endsWith('.css')
        ? Object.assign(document.createElement('link'), { rel: 'stylesheet', href: `/node_modules/${file}` })
        : Object.assign(document.createElement('script'), { src: `/node_modules/${file}` });
      element.onload = resolve;
      element.onerror = () => reject(new Error(`${file} does not load`));
      document.head.append(element);
    });
  }
}

// painted resolves when the browser has painted the current state.
export function painted() {
  return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
}
