import { useId, useState } from 'preact/hooks';
import { usePage } from './context.js';
import { shortened } from './format.js';
import { class_name } from './part/item_tile.jsx';
import { FeatureGlimpse } from './part/feature_glimpse.jsx';
import { Picture } from './part/picture.jsx';
import { go, to_feature, to_item, to_items } from './route.js';

const kMost = 8;

/** @typedef {{href: string, text: string, feature?: number, item?: number}} Result */

/**
 * What a text may mean: a feature by number or name, an item by number or id, a class.
 * @param {import('./context.js').PageParts} page
 * @param {number} run
 * @param {string} text
 */
async function results_for({ source, overview, names }, run, text) {
  const wanted = text.trim();
  if (!wanted) return [];
  /** @type {Result[]} */
  const results = [];
  const { features } = overview.runs[run];
  const digits = /^f?(\d+)$/i.exec(wanted);
  if (digits && Number(digits[1]) < features) {
    const name = names.of(run, Number(digits[1])).name;
    results.push({ href: to_feature(run, digits[1]), feature: Number(digits[1]), text: `feature ${digits[1]}${name ? `: ${name}` : ''}` });
  }
  for (const feature of names.search(run, wanted)) {
    results.push({ href: to_feature(run, feature), feature, text: `feature ${feature}: ${names.of(run, feature).name}` });
  }
  const item = await source.find(wanted).catch(() => null);
  if (item !== null) results.push({ href: to_item(run, item), item, text: `item ${item}${wanted === String(item) ? '' : `: ${wanted}`}` });
  overview.data.classes.forEach((_, label) => {
    const name = class_name(overview, label);
    if (name.toLowerCase().includes(wanted.toLowerCase())) results.push({ href: to_items(run, { class: label }), text: `class ${name}` });
  });
  return results.slice(0, kMost);
}

/** @param {{run: number}} props */
export function Search({ run }) {
  const page = usePage();
  const { overview } = page;
  const list = useId();
  const [text, set_text] = useState('');
  const [results, set_results] = useState(/** @type {Result[]} */ ([]));
  const [at, set_at] = useState(0);
  const [open, set_open] = useState(false);
  const look = async (/** @type {string} */ value) => {
    set_text(value);
    set_at(0);
    const found = await results_for(page, run, value);
    set_results(found);
    set_open(value.trim() !== '');
  };
  const choose = (/** @type {Result|undefined} */ result) => {
    if (!result) return;
    go(result.href);
    set_text('');
    set_results([]);
    set_open(false);
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  };
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    choose(results[at] ?? (await results_for(page, run, text))[0]);
  };
  const key = (/** @type {KeyboardEvent} */ event) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (!step || results.length === 0) return;
    event.preventDefault();
    set_at((at + step + results.length) % results.length);
  };
  return (
    <form class="search" role="search" onSubmit={submit} onBlur={() => setTimeout(() => set_open(false), 150)}>
      <input
        id="search"
        type="text"
        enterkeyhint="search"
        role="combobox"
        aria-label="Search features by number or name, items by id"
        aria-expanded={open}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={open && results[at] ? `${list}-${at}` : undefined}
        placeholder="Feature or item ( / )"
        autocomplete="off"
        value={text}
        onInput={(event) => look(event.currentTarget.value)}
        onKeyDown={key}
      />
      <ul id={list} role="listbox" aria-label="Results" hidden={!open}>
        {results.length === 0 && <li class="quiet">nothing found</li>}
        {results.map((result, index) => (
          <li key={result.href} id={`${list}-${index}`} role="option" aria-selected={index === at} onPointerDown={() => choose(result)}>
            <span>{shortened(result.text, 60)}</span>
            {result.feature !== undefined && <FeatureGlimpse run={run} feature={result.feature} samples={3} />}
            {result.item !== undefined && overview.data.has_pictures && <Picture item={result.item} size={28} />}
          </li>
        ))}
      </ul>
    </form>
  );
}
