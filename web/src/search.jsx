import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { usePage } from './context.js';
import { items_of } from './feature_order.js';
import { shortened } from './format.js';
import { class_name } from './part/item_tile.jsx';
import { FeatureGlimpse } from './part/feature_glimpse.jsx';
import { Picture } from './part/picture.jsx';
import { go, to_feature, to_item, to_items } from './route.js';

const kMost = 8;

/** @typedef {{href: string, text: string, feature?: number, item?: number}} Result */

/**
 * What a text asks for: "5", "f5", "feature 5", "item 5" or "#5" by number, anything else by name, id or class.
 * @param {string} text
 * @returns {{feature: number|null, item: number|null, words: string}}
 */
export function parse_search(text) {
  const words = text.trim();
  const match = /^(feature|f|item|i|#)?\s*#?\s*(\d+)$/i.exec(words);
  if (!match) return { feature: null, item: null, words };
  const kind = (match[1] ?? '').toLowerCase();
  const number = Number(match[2]);
  return { feature: kind.startsWith('i') ? null : number, item: kind.startsWith('f') ? null : number, words };
}

/**
 * What a text may mean: a feature by number or name, an item by number or id, a class.
 * @param {import('./context.js').PageParts} page
 * @param {number} run
 * @param {string} text
 */
async function results_for({ source, overview, names }, run, text) {
  const { feature, item, words } = parse_search(text);
  if (!words) return [];
  /** @type {Result[]} */
  const results = [];
  const add_feature = (/** @type {number} */ number) => {
    const { name } = names.of(run, number);
    if (results.some((result) => result.feature === number)) return;
    results.push({ href: to_feature(run, number), feature: number, text: `feature ${number}${name ? `: ${name}` : ''}` });
  };
  const add_item = (/** @type {number} */ number, /** @type {string} */ id) => {
    if (results.some((result) => result.item === number)) return;
    results.push({ href: to_item(run, number), item: number, text: `item ${number}${id ? `: ${id}` : ''}` });
  };
  if (feature !== null && feature < overview.runs[run].features) add_feature(feature);
  names.search(run, words).forEach(add_feature);
  const by_id = await source.find(words).catch(() => null);
  if (by_id !== null) add_item(by_id, words);
  if (item !== null && item < items_of(overview)) add_item(item, '');
  overview.data.classes.forEach((_, label) => {
    const name = class_name(overview, label);
    if (name.toLowerCase().includes(words.toLowerCase())) results.push({ href: to_items(run, { class: label }), text: `class ${name}` });
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
  const latest = useRef(''); // what is looked for; '' once the search was left
  const leave = () => {
    latest.current = '';
    set_open(false);
  };
  useEffect(() => {
    addEventListener('hashchange', leave);
    return () => removeEventListener('hashchange', leave);
  }, []);
  const look = async (/** @type {string} */ value) => {
    set_text(value);
    set_at(0);
    latest.current = value;
    const found = await results_for(page, run, value);
    if (latest.current !== value) return;
    set_results(found);
    set_open(value.trim() !== '');
  };
  const choose = (/** @type {Result|undefined} */ result) => {
    if (!result) return;
    go(result.href);
    set_text('');
    set_results([]);
    leave();
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
    <form class="search" role="search" onSubmit={submit} onFocusOut={leave}>
      <input
        id="search"
        type="text"
        enterkeyhint="search"
        role="combobox"
        aria-label="Search: feature 5, item 5, a name, an id or a class"
        aria-expanded={open}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={open && results[at] ? `${list}-${at}` : undefined}
        placeholder="feature 5, item 5, name"
        autocomplete="off"
        value={text}
        onInput={(event) => look(event.currentTarget.value)}
        onKeyDown={key}
      />
      <ul id={list} role="listbox" aria-label="Results" hidden={!open}>
        {results.length === 0 && <li class="quiet">nothing found</li>}
        {results.map((result, index) => (
          <li key={result.href} id={`${list}-${index}`} role="option" aria-selected={index === at} onPointerDown={(event) => event.preventDefault()} onClick={() => choose(result)}>
            <span>{shortened(result.text, 60)}</span>
            {result.feature !== undefined && <FeatureGlimpse run={run} feature={result.feature} samples={3} />}
            {result.item !== undefined && overview.data.has_pictures && <Picture item={result.item} size={28} />}
          </li>
        ))}
      </ul>
    </form>
  );
}
