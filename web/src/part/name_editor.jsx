import { useEffect, useState } from 'preact/hooks';
import { usePage } from '../context.js';
import { kLongestName, useName } from '../names.js';

/** Name and note of a feature, to read and to write. @param {{run: number, feature: number}} props */
export function NameEditor({ run, feature }) {
  const { names, source } = usePage();
  const saved = useName(names, run, feature);
  const [name, set_name] = useState(saved.name);
  const [note, set_note] = useState(saved.note);
  const [message, set_message] = useState('');
  useEffect(() => {
    set_name(saved.name);
    set_note(saved.note);
  }, [run, feature, saved.name, saved.note]);
  useEffect(() => set_message(''), [run, feature]);
  const write = (/** @type {(text: string) => void} */ set) => (/** @type {{currentTarget: {value: string}}} */ event) => {
    set(event.currentTarget.value);
    set_message('');
  };
  const changed = name !== saved.name || note !== saved.note;
  const save = async (/** @type {Event} */ event) => {
    event.preventDefault();
    try {
      await names.set(run, feature, { name: name.trim(), note: note.trim() });
      set_message(source.live ? 'Saved beside the run.' : 'Kept in this browser; download the names to pass them on.');
    } catch (error) {
      set_message(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <form class="name-editor" onSubmit={save} aria-label={`Name and note of feature ${feature}`}>
      <label>
        <span>Name</span>
        <input name="name" value={name} maxLength={kLongestName} placeholder="what does it stand for?" onInput={write(set_name)} />
      </label>
      <label class="wide">
        <span>Note</span>
        <textarea name="note" rows={2} value={note} maxLength={10000} placeholder="what you saw, what it misses" onInput={write(set_note)} />
      </label>
      <button type="submit" disabled={!changed}>
        Save
      </button>
      <span class="quiet" role="status">
        {message}
      </span>
    </form>
  );
}
