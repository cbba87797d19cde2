import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { usePage } from './context.js';
import { items_of } from './feature_order.js';
import { features_by_word } from './feature_by_word.js';
import { shortened } from './format.js';
import { class_name } from './part/item_tile.jsx';
import { FeatureGlimpse } from './part/feature_glimpse.jsx';
import { Picture } from './part/picture.jsx';
import { go, to_class, to_feature, to_item } from './route.js';

const kMost = 8;

/** @typedef {{href: string, text: string, feature?: {run: number, number: number}, item?: number}} Result */

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
 * What a text may mean: a feature by number, name or word, of this run and then of the others; an item by number or id; a
 * class.
 * @param {import('./context.js').PageParts} page
 * @param {number} run
 * @param {string} text
 */
async function results_for({ source, overview, names }, run, text) {
  const { feature, item, words } = parse_search(text);
  if (!words) return [];
  const { runs } = overview;
  /** @type {Result[]} */
  const results = [];
  const add = (/** @type {Result} */ result) => {
    if (!results.some(({ href }) => href === result.href)) results.push(result);
  };
  const add_item = (/** @type {number} */ number, /** @type {string} */ id) =>
    add({ href: to_item(run, number), item: number, text: `item ${number}${id ? `: ${id}` : ''}` });
  for (const { run: at, name: of, features } of [runs[run], ...runs.filter((other) => other.run !== run)]) {
    const numbers = feature !== null && feature < features ? [feature] : [];
    const by_word = overview.data.has_texts && feature === null ? features_by_word(await source.features(at).catch(() => []), words) : [];
    for (const number of [...numbers, ...names.search(at, words), ...by_word.slice(0, kMost / 2)]) {
      const { name, proposed } = names.shown(at, number);
      const which = `feature ${number}${runs.length > 1 ? ` of ${shortened(of, 16)}` : ''}`;
      add({ href: to_feature(at, number), feature: { run: at, number }, text: `${which}${name ? `: ${name}${proposed ? '?' : ''}` : ''}` });
    }
  }
  const by_id = await source.find(words).catch(() => null);
  if (by_id !== null) add_item(by_id, words);
  if (item !== null && item < items_of(overview)) add_item(item, '');
  overview.data.classes.forEach((_, label) => {
    const name = class_name(overview, label);
    if (name.toLowerCase().includes(words.toLowerCase())) add({ href: to_class(run, label), text: `class ${name}` });
  });
  return results.slice(0, kMost);
}

/**
 * What is typed, what was found for it, and the ways to go on.
 * @param {number} run
 */
function useSearch(run) {
  const page = usePage();
  const [text, set_text] = useState('');
  const [found, set_found] = useState({ text: '', results: /** @type {Result[]} */ ([]) });
  const [at, set_at] = useState(0);
  const [open, set_open] = useState(false);
  const latest = useRef(''); // what is looked for; '' once the search was left
  const { results } = found;
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
    const results = await results_for(page, run, value);
    if (latest.current !== value) return;
    set_found({ text: value, results });
    set_open(value.trim() !== '');
  };
  const choose = (/** @type {Result|undefined} */ result) => {
    if (!result) return;
    go(result.href);
    set_text('');
    set_found({ text: '', results: [] });
    leave();
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  };
  const submit = async (/** @type {string} */ typed) =>
    choose(found.text === typed ? results[at] : (await results_for(page, run, typed))[0]);
  return { text, results, at, set_at, open, look, leave, choose, submit };
}

/** @param {{run: number}} props */
export function Search({ run }) {
  const { overview } = usePage();
  const list = useId();
  const field = useRef(/** @type {HTMLInputElement|null} */ (null));
  const { text, results, at, set_at, open, look, leave, choose, submit } = useSearch(run);
  const on_submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    submit(field.current?.value ?? '');
  };
  const key = (/** @type {KeyboardEvent} */ event) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (!step || results.length === 0) return;
    event.preventDefault();
    set_at((at + step + results.length) % results.length);
  };
  return (
    <form class="search" role="search" onSubmit={on_submit} onFocusOut={leave}>
      <input
        ref={field}
        id="search"
        type="text"
        enterkeyhint="search"
        role="combobox"
        aria-label={`Search: feature 5, item 5, a name, an id${overview.data.has_texts ? ', a word' : ''} or a class`}
        aria-expanded={open}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={open && results[at] ? `${list}-${at}` : undefined}
        placeholder={overview.data.has_texts ? 'feature 5, name, word' : 'feature 5, item 5, name'}
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
            {result.feature && <FeatureGlimpse run={result.feature.run} feature={result.feature.number} samples={3} />}
            {result.item !== undefined && overview.data.has_pictures && <Picture item={result.item} size={28} />}
          </li>
        ))}
      </ul>
    </form>
  );
}
