import { useId } from 'preact/hooks';
import { usePage, useRun } from '../context.js';
import { is_number, shortened } from '../format.js';
import { useName } from '../names.js';

const kMostChoices = 1024; // in the list; any can be typed

/**
 * A field for a feature, by number or name.
 * @param {{run: number, value: string, onInput: (text: string, feature: number|null) => void, label: string}} props
 */
export function FeatureField({ run, value, onInput, label }) {
  const { names } = usePage();
  const { features } = useRun(run);
  const list = useId();
  useName(names, run, 0);
  const find = (/** @type {string} */ text) => {
    const number = Number.parseInt(text.replace(/^f(?=\d)/i, ''), 10);
    const found = is_number(number) ? number : text.trim() ? (names.search(run, text.trim())[0] ?? NaN) : NaN;
    return found < features && found >= 0 ? found : null;
  };
  const written = (/** @type {number} */ number) => `${number}${names.of(run, number).name && `: ${shortened(names.of(run, number).name, 40)}`}`;
  const all = Array.from({ length: Math.min(features, kMostChoices) }, (_, number) => number);
  return (
    <>
      <input type="text" class="feature-choice" list={list} aria-label={label} placeholder="number or name" autocomplete="off" value={value} onInput={(event) => onInput(event.currentTarget.value, find(event.currentTarget.value))} />
      <datalist id={list}>
        {all.map((number) => <option key={number} value={written(number)} />)}
      </datalist>
    </>
  );
}
