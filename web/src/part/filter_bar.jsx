import { useState } from 'preact/hooks';
import { read_filter, useVocabulary } from '../chosen.js';
import { usePage } from '../context.js';
import { count, percent, plural, shortened } from '../format.js';
import { usePicked } from '../picked.js';
import { chips_of, joined_with } from '../query/filter.js';
import { change_query } from '../route.js';
import { AddCondition } from './add_condition.jsx';
import { ClassMix } from './class_mix.jsx';
import { FilterBox } from './filter_box.jsx';

/** @param {{chips: string[], onChange: (text: string) => void}} props */
function Chips({ chips, onChange }) {
  return (
    <ul class="filter-chips" aria-label="Conditions, all of which must hold">
      {chips.map((chip, at) => (
        <li key={`${at}/${chip}`}>
          <code>{shortened(chip, 60)}</code>
          <button type="button" aria-label={`Remove the condition ${shortened(chip, 60)}`} onClick={() => onChange(chips.filter((_, other) => other !== at).join(' and '))}>×</button>
        </li>
      ))}
      {chips.length > 1 && <li class="bare"><button type="button" onClick={() => onChange('')}>Remove all</button></li>}
    </ul>
  );
}

/** How many there are, and that some were picked by hand. @param {{chosen: import('../chosen.js').Chosen|null, hand: boolean}} props */
function Count({ chosen, hand }) {
  const { picked } = usePage();
  if (!chosen) return <p class="filter-count" role="status">Counting ...</p>;
  const by_hand = hand && picked.count > 0;
  return (
    <p class="filter-count" role="status">
      <b class="numbers">{chosen.mask ? `${count(chosen.count)} of ${count(chosen.total)}` : count(chosen.total)}</b> {chosen.total === 1 ? 'item' : 'items'}
      {chosen.mask && <> ({percent(chosen.count / chosen.total)})</>}
      {by_hand && <>, among the {plural(picked.count, 'item')} picked by hand <button type="button" onClick={() => picked.clear()}>Pick none</button></>}
    </p>
  );
}

/**
 * The filter of a view: in words or clicked together, how many items it leaves, and of which classes. `hand`: items that
 * were picked by hand narrow it too. `children` come before the classes.
 * @param {{run: number, query: import('../route.js').Query, chosen: import('../chosen.js').Chosen|null, error: Error|null, hand?: boolean,
 *   label?: string, children?: import('preact').ComponentChildren}} props
 */
export function FilterBar({ run, query, chosen, error, hand = false, label = 'Show only items with', children }) {
  const { picked } = usePage();
  const words = useVocabulary(run);
  const [adding, set_adding] = useState(false);
  usePicked(picked);
  const text = query.filter ?? '';
  const { filter, error: meaning } = read_filter(text, words);
  const change = (/** @type {string} */ next) => change_query({ filter: next || null, page: null });
  return (
    <section class="filter" aria-label="Filter">
      <FilterBox run={run} label={label} text={text} words={words} onApply={change} />
      <div class="filter-line">
        {filter && <Chips chips={chips_of(text, filter)} onChange={change} />}
        <button type="button" aria-expanded={adding} onClick={() => set_adding(!adding)}>{adding ? 'Close' : 'Add a condition'}</button>
        {!meaning && <Count chosen={chosen} hand={hand} />}
      </div>
      {adding && <AddCondition run={run} words={words} onAdd={(more) => change(joined_with(text, filter, more))} />}
      {error && !meaning && <p class="filter-error" role="alert">{error.message}</p>}
      {children}
      {chosen && !meaning && <ClassMix run={run} chosen={chosen} onChoose={(label) => change(joined_with(text, filter, `class=${words.written_value(words.classes[label])}`))} />}
    </section>
  );
}
