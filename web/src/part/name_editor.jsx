import { useEffect, useState } from 'preact/hooks';
import { usePage } from '../context.js';
import { shortened } from '../format.js';
import { kLongestName, useName } from '../names.js';
import { same_label } from '../source/name_store.js';
import { Proposal } from './proposal.jsx';

/** @typedef {import('../source/contract.js').Label} Label */

/** Asks what to do about a name that someone else has given meanwhile. @param {{theirs: Label, onTake: () => void, onSave: () => void}} props */
function Conflict({ theirs, onTake, onSave }) {
  return (
    <div class="notice failed conflict" role="alert">
      <p>
        Not saved: meanwhile this feature was {theirs.name ? <>named <b>{shortened(theirs.name, 80)}</b></> : 'left without a name'} in another window
        {theirs.note && <>, with the note “{shortened(theirs.note, 120)}”</>}.
      </p>
      <button type="button" onClick={onTake}>Keep that one</button> <button type="button" onClick={onSave}>Save mine instead</button>
    </div>
  );
}

/** Name and note of a feature, to read and to write. What is not saved is kept as a draft. @param {{run: number, feature: number}} props */
export function NameEditor({ run, feature }) {
  const { names, source } = usePage();
  const saved = useName(names, run, feature);
  const [draft, set_draft] = useState(() => names.draft(run, feature));
  const [message, set_message] = useState('');
  const [theirs, set_theirs] = useState(/** @type {Label|null} */ (null));
  useEffect(() => {
    set_draft(names.draft(run, feature));
    set_message('');
    set_theirs(null);
  }, [run, feature]);
  const shown = draft?.label ?? saved;
  const changed = draft !== null && !same_label(draft.label, saved);
  const keep = (/** @type {{label: Label, base: Label}|null} */ next) => {
    names.keep_draft(run, feature, next);
    set_draft(next);
    set_theirs(null);
  };
  const write = (/** @type {Partial<Label>} */ part) => {
    const label = { name: shown.name, note: shown.note, ...part };
    keep(same_label(label, saved) ? null : { label, base: draft?.base ?? saved });
    set_message('');
  };
  const save = async (/** @type {Label} */ expected) => {
    const label = { name: shown.name.trim(), note: shown.note.trim() };
    try {
      const other = await names.set(run, feature, label, expected);
      if (other) return set_theirs(other);
      keep(null);
      set_message(source.where_names_are());
    } catch (error) {
      set_message(error instanceof Error ? error.message : String(error));
    }
    return undefined;
  };
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    save(draft?.base ?? saved);
  };
  return (
    <form class="name-editor" onSubmit={submit} aria-label={`Name and note of feature ${feature}`}>
      <label>
        <span>Name</span>
        <input name="name" value={shown.name} maxLength={kLongestName} placeholder="what does it stand for?" onInput={(event) => write({ name: event.currentTarget.value })} />
      </label>
      <label class="wide">
        <span>Note</span>
        <textarea name="note" rows={2} value={shown.note} maxLength={10000} placeholder="what you saw, what it misses" onInput={(event) => write({ note: event.currentTarget.value })} />
      </label>
      <button type="submit" disabled={!changed}>
        Save
      </button>
      {changed && <button type="button" onClick={() => keep(null)}>Discard</button>}
      <span class="quiet" role="status">
        {message || (changed ? 'Not saved yet: kept as a draft in this window.' : '')}
      </span>
      {!draft && <Proposal run={run} feature={feature} />}
      {theirs && <Conflict theirs={theirs} onTake={() => keep(null)} onSave={() => save(theirs)} />}
    </form>
  );
}
