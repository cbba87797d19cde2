// What the tests of real engines share: items that the built program exports, and what it says a search must find.
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const kItems = 1500;
const kFeatures = 96;

/** A package of the engines, which lie in the build tree. */
export async function load(name) {
  const at = createRequire(join(process.env.ORTHANT_ENGINES_DIR, 'package.json')).resolve(name);
  const module = await import(pathToFileURL(at).href);
  return { ...module.default, ...module };
}

/** Numbers from 0 to 1 that are the same each time. */
function random(seed) {
  let state = seed;
  return () => {
    state = (state * 1664525 + 1013904223) % 4294967296;
    return state / 4294967296;
  };
}

/** Sparse items with ids that are awkward to quote. */
function items() {
  const next = random(11);
  return Array.from({ length: kItems }, (_, row) => {
    const indices = row === 5 ? [] : Array.from({ length: kFeatures }, (_, j) => j).filter(() => next() < 0.08);
    return { id: `it's \\ "${row}", été`, label: row % 7 ? `class ${row % 7}` : null, indices, values: indices.map(() => Math.fround(next() ** 2 + 0.001)) };
  });
}

export const lines = (path) => readFileSync(path, 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line));

/** Runs `check(folder, rows, questions)` with an export of the items for `to`. */
export async function with_export(to, check) {
  const folder = mkdtempSync(join(tmpdir(), 'orthant-engines-'));
  const orthant = (...words) => execFileSync(process.env.ORTHANT_PROGRAM, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  try {
    const rows = items();
    writeFileSync(join(folder, 'items.jsonl'), rows.map((row) => JSON.stringify(row) + '\n').join(''));
    orthant('import', join(folder, 'items.jsonl'), '--dims', String(kFeatures), '-o', join(folder, 'items.safetensors'));
    orthant('export', join(folder, 'items.safetensors'), '--to', to, '-o', join(folder, 'out'));
    const expected = JSON.parse(readFileSync(join(folder, 'out', 'expected.json'), 'utf8'));
    await check(join(folder, 'out'), rows, expected.questions);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
