import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { usePage } from '../context.js';
import { percent, shortened } from '../format.js';
import { read_filter } from '../chosen.js';
import { completions } from '../query/complete.js';
import { useLoad } from '../load.jsx';
import { class_name } from './item_tile.jsx';

/** @typedef {import('../query/vocabulary.js').Vocabulary} Vocabulary */

/** What a feature stands for, in a few words. @param {number} run */
function useAbout(run) {
  const { source, overview } = usePage();
  const cards = useLoad(() => source.features(run), ['features', run]);
  return (/** @type {number} */ feature) => {
    const card = cards.value?.[feature];
    if (!card || card.class === null) return 'feature';
    return `feature, ${shortened(class_name(overview, card.class), 20)} ${percent(card.consistency, 0)}`;
  };
}

/**
 * The field for a filter in words: completes, says what is wrong and how it was probably meant. Enter applies it.
 * @param {{run: number, text: string, words: Vocabulary, label: string, onApply: (text: string) => void}} props
 */
export function FilterBox({ run, text, words, label, onApply }) {
  const id = useId();
  const field = useRef(/** @type {HTMLInputElement|null} */ (null));
  const [typed, set_typed] = useState(text);
  const [open, set_open] = useState(false);
  const [at, set_at] = useState(-1);
  const about = useAbout(run);
  useEffect(() => set_typed(text), [text]);
  const cursor = field.current?.selectionStart ?? typed.length;
  const list = open ? completions(typed.slice(0, cursor), words, about) : [];
  const { error } = read_filter(typed, words);
  const shown = error && (typed === text || !open) ? error : null;
  const apply = (/** @type {string} */ value) => {
    set_open(false);
    if (!read_filter(value, words).error) onApply(value.trim());
  };
  const write = (/** @type {string} */ value, /** @type {number} */ place) => {
    set_typed(value);
    set_at(-1);
    requestAnimationFrame(() => field.current?.setSelectionRange(place, place));
  };
  const choose = (/** @type {import('../query/complete.js').Completion|undefined} */ one) => {
    if (!one) return;
    write(typed.slice(0, one.from) + one.text + typed.slice(cursor), one.from + one.text.length);
    field.current?.focus();
  };
  const key = (/** @type {KeyboardEvent} */ event) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step && list.length) set_at((at + step + list.length + Number(at < 0 && step < 0)) % list.length);
    else if (event.key === 'Tab' && open && at >= 0) choose(list[at]);
    else if (event.key === 'Enter' && open && at >= 0) choose(list[at]);
    else if (event.key === 'Escape' && open && list.length) set_open(false);
    else return;
    event.preventDefault();
  };
  return (
    <form class="filter-box" onSubmit={(event) => { event.preventDefault(); apply(field.current?.value ?? ''); }} onFocusOut={() => set_open(false)}>
      <label>
        <span>{label}</span>
        <input
          ref={field}
          name="filter"
          type="text"
          role="combobox"
          aria-expanded={list.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={at >= 0 && list[at] ? `${id}-${at}` : undefined}
          aria-invalid={shown ? 'true' : undefined}
          aria-describedby={shown ? `${id}-error` : undefined}
          placeholder={words.classes.length ? `f12 > 0.3 and not class=${shortened(words.written_value(words.classes[0]), 16)}` : 'f12 > 0.3 and not f5'}
          autocomplete="off"
          spellcheck={false}
          value={typed}
          onInput={(event) => { set_typed(event.currentTarget.value); set_at(-1); set_open(true); }}
          onFocus={() => set_open(true)}
          onKeyDown={key}
        />
        <ul id={`${id}-list`} role="listbox" aria-label="What could be written" hidden={list.length === 0}>
          {list.map((one, index) => (
            <li key={one.text} id={`${id}-${index}`} role="option" aria-selected={index === at} onPointerDown={(event) => event.preventDefault()} onClick={() => choose(one)}>
              <code>{shortened(one.text.trim(), 40)}</code> <span class="quiet">{one.about}</span>
            </li>
          ))}
        </ul>
      </label>
      <button type="submit" disabled={error !== null || typed.trim() === text.trim()}>Apply</button>
      {shown && (
        <p id={`${id}-error`} class="filter-error" role="alert">
          At character {shown.at + 1}: {shortened(shown.message, 200)}{' '}
          {shown.suggestion && <button type="button" onClick={() => write(typed.slice(0, shown.at) + shown.suggestion + typed.slice(shown.end ?? shown.at), shown.at + (shown.suggestion?.length ?? 0))}>Write {shortened(shown.suggestion, 24)}</button>}
        </p>
      )}
    </form>
  );
}
