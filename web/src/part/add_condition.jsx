import { useState } from 'preact/hooks';
import { usePage } from '../context.js';
import { number, shortened } from '../format.js';
import { useLoad } from '../load.jsx';
import { FeatureField } from './feature_field.jsx';
import { FeatureGlimpse } from './feature_glimpse.jsx';
import { class_name } from './item_tile.jsx';

/** @typedef {import('../query/vocabulary.js').Vocabulary} Vocabulary */
/** @typedef {{run: number, words: Vocabulary, onAdd: (condition: string) => void}} Adding */

/** @type {[string, string][]} */
const kStrengths = [['fires', 'is there'], ['silent', 'is not there'], ['>', 'is above'], ['<', 'is below']];

/** @param {Adding} props */
function FeatureCondition({ run, words, onAdd }) {
  const { source } = usePage();
  const [text, set_text] = useState('');
  const [feature, set_feature] = useState(/** @type {number|null} */ (null));
  const [strength, set_strength] = useState('fires');
  const [limit, set_limit] = useState('');
  const cards = useLoad(() => source.features(run), ['features', run]);
  const most = feature === null ? null : (cards.value?.[feature]?.max ?? null);
  const compared = strength === '>' || strength === '<';
  const value = Number(limit);
  const ready = feature !== null && (!compared || (limit.trim() !== '' && Number.isFinite(value)));
  const add = () => {
    if (feature === null || !ready) return;
    const name = words.written(feature);
    onAdd(compared ? `${name} ${strength} ${value}` : strength === 'fires' ? name : `not ${name}`);
    set_text('');
    set_feature(null);
  };
  return (
    <form class="condition" onSubmit={(event) => { event.preventDefault(); add(); }}>
      <span>Feature</span>
      <FeatureField run={run} value={text} label="Feature of the condition" onInput={(typed, found) => { set_text(typed); set_feature(found); }} />
      <select aria-label="How strong" value={strength} onChange={(event) => set_strength(event.currentTarget.value)}>
        {kStrengths.map(([key, name]) => <option key={key} value={key}>{name}</option>)}
      </select>
      {compared && <input type="number" step="any" aria-label="Value" class="value" value={limit} placeholder={most === null ? 'value' : `up to ${number(most)}`} onInput={(event) => set_limit(event.currentTarget.value)} />}
      <button type="submit" disabled={!ready}>Add</button>
      {feature !== null && <FeatureGlimpse run={run} feature={feature} samples={3} />}
    </form>
  );
}

/** @param {Adding} props */
function ClassCondition({ words, onAdd }) {
  const { overview } = usePage();
  const [same, set_same] = useState('=');
  if (words.classes.length === 0) return null;
  return (
    <div class="condition">
      <span>Class</span>
      <select aria-label="Is it the class" value={same} onChange={(event) => set_same(event.currentTarget.value)}>
        <option value="=">is</option>
        <option value="!=">is not</option>
      </select>
      <select aria-label="Class of the condition" value="" onChange={(event) => event.currentTarget.value && onAdd(`class${same}${words.written_value(words.classes[Number(event.currentTarget.value)])}`)}>
        <option value="">choose ...</option>
        {words.classes.map((_, label) => <option key={label} value={label}>{shortened(class_name(overview, label), 40)}</option>)}
      </select>
    </div>
  );
}

/** @param {Adding} props */
function IdCondition({ words, onAdd }) {
  const [text, set_text] = useState('');
  const add = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (text.trim()) onAdd(`id~${words.written_value(text.trim())}`);
    set_text('');
  };
  return (
    <form class="condition" onSubmit={add}>
      <span>Id contains</span>
      <input type="text" aria-label="Part of the id" autocomplete="off" value={text} onInput={(event) => set_text(event.currentTarget.value)} />
      <button type="submit" disabled={!text.trim()}>Add</button>
    </form>
  );
}

/** Conditions to click together. @param {Adding} props */
export const AddCondition = (props) => (
  <div class="conditions">
    <FeatureCondition {...props} />
    <ClassCondition {...props} />
    <IdCondition {...props} />
  </div>
);
