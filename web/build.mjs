// Bundles the page into one file: node build.mjs OUTPUT_FOLDER
// writes page.html (the page of a report, without its data) and page_html.cpp (the same for the library).
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const output = resolve(process.argv[2] ?? join(here, 'dist'));

// Parts of Plot's dependencies that no chart here uses: maps of the Earth and named colour schemes, 44 kB together.
const kUnused = /\/node_modules\/(d3-geo|d3-scale-chromatic)\/[^.]*\.m?js$/;
const leave_out = {
  name: 'leave-out',
  setup({ onLoad }) {
    onLoad({ filter: kUnused }, ({ path }) => {
      const lists = [...readFileSync(path, 'utf8').matchAll(/export \{([^}]*)\}/g)].map(([, list]) => list);
      const names = lists.join(',').split(',').map((entry) => entry.trim().split(/\s+as\s+/).pop());
      return { contents: names.filter(Boolean).map((name) => `export const ${name} = () => null;`).join('\n') };
    });
  },
};

async function bundle(entry) {
  const result = await build({
    entryPoints: [join(here, entry)],
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    charset: 'ascii',
    format: 'iife',
    target: ['chrome105', 'firefox113', 'safari16.4'],
    legalComments: 'none',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    plugins: [leave_out],
    absWorkingDir: here,
  });
  return { text: escaped(result.outputFiles[0].text.trim()), inputs: Object.keys(result.metafile.inputs) };
}

/** The bundler leaves characters beyond ASCII in regular expressions. */
function escaped(text) {
  return text.replace(/[^\x00-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The licences of the packages that went into the bundle, each text once. */
function licences(inputs) {
  const packages = new Set();
  for (const input of inputs) {
    const match = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input);
    if (match) packages.add(match[1]);
  }
  const texts = new Map();
  for (const name of [...packages].sort()) {
    const folder = join(here, 'node_modules', name);
    const about = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file ? readFileSync(join(folder, file), 'utf8').trim() : `${about.license}`;
    texts.set(text, [...(texts.get(text) ?? []), `${name} ${about.version}`]);
  }
  return [...texts].map(([text, names]) => `${names.join(', ')}\n\n${text}`).join('\n\n* * *\n\n');
}

const ascii = (text) =>
  text.replace(/\u00a9/g, '(c)').replace(/[\u2018\u2019]/g, "'").replace(/[\u201c\u201d]/g, '"').replace(/[^\x00-\x7f]/g, '?');

const script = await bundle('src/main.jsx');
const style = await bundle('src/style/page.css');
if (/<!--|<\/script/i.test(script.text)) throw new Error('the script holds a sequence that ends or hides a script element');
if (/<\/style/i.test(style.text)) throw new Error('the style sheet holds </style');

const hash = `sha256-${createHash('sha256').update(script.text).digest('base64')}`;
const policy = (own) =>
  [
    "default-src 'none'",
    `script-src '${hash}'`,
    "style-src 'unsafe-inline'",
    `img-src ${own}data: blob:`,
    'media-src data: blob:',
    ...(own ? ["connect-src 'self'"] : []),
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
const meta = `<meta http-equiv="Content-Security-Policy" content="${policy('')}">`;

const fill = (template, values) =>
  template.replace(/<!--page:(\w+)-->/g, (_, name) => {
    if (!(name in values)) throw new Error(`page.html: unknown part ${name}`);
    return values[name];
  });
const page = fill(readFileSync(join(here, 'src/page.html'), 'utf8'), {
  policy: meta,
  style: `<style>${style.text}</style>`,
  script: `<script>${script.text}</script>`,
  licences: `<!--\nThis page contains:\n\n${ascii(licences(script.inputs)).replace(/--+/g, '-')}\n-->`,
});
const marker = '<!--orthant:data-->';
if (page.split(marker).length !== 2 || page.split(meta).length !== 2) throw new Error('page.html: a marker is not there once');
if (/[^\x00-\x7f]/.test(page)) throw new Error('page.html: a character beyond ASCII');

const bytes = (text) => [...Buffer.from(text)].join(',').replace(/(?:\d+,){40}/g, '$&\n');
const quoted = (text) => JSON.stringify(text);
const source = `// Made from web/ by web/build.mjs.
#include "orthant/report/page_html.h"

namespace orthant::report {

const char kPageHtml[] = {
${bytes(page)},0};
const std::size_t kPageHtmlSize = sizeof(kPageHtml) - 1;

const char kLivePolicy[] = ${quoted(policy("'self' "))};

std::string report_page_html(std::string_view data) {
  constexpr std::size_t at = ${page.indexOf(marker)};
  constexpr std::string_view before = ${quoted('<script id="orthant-data" type="application/json">')};
  constexpr std::string_view after = "</script>";
  const std::string_view page(kPageHtml, kPageHtmlSize);
  std::string html;
  html.reserve(page.size() + before.size() + data.size() + after.size());
  html.append(page.substr(0, at)).append(before).append(data).append(after);
  html.append(page.substr(at + ${marker.length}));
  return html;
}

std::string live_page_html() {
  const std::string_view page(kPageHtml, kPageHtmlSize);
  std::string html(page.substr(0, ${page.indexOf(meta)}));
  html.append(page.substr(${page.indexOf(meta) + meta.length}));
  return html;
}

}  // namespace orthant::report
`;
if (!existsSync(output)) mkdirSync(output, { recursive: true });
writeFileSync(join(output, 'page.html'), page);
writeFileSync(join(output, 'page_html.cpp'), source);
console.log(`page: ${(page.length / 1000).toFixed(0)} kB (script ${(script.text.length / 1000).toFixed(0)} kB)`);
