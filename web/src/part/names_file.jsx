import { useState } from 'preact/hooks';
import { usePage, useRun } from '../context.js';
import { plural } from '../format.js';

/** Downloads the names of a run as JSON, and takes such a file. @param {{run: number}} props */
export function NamesFile({ run }) {
  const { names } = usePage();
  const { name, features } = useRun(run);
  const [message, set_message] = useState('');
  const download = () => {
    const text = JSON.stringify(names.document(run), null, 2);
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
    link.download = `names-${name.replace(/[^\w.-]+/g, '_').slice(0, 60) || run}.json`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    set_message(`${plural(Object.keys(names.document(run).features).length, 'name')} written.`);
  };
  const take = async (/** @type {{currentTarget: HTMLInputElement}} */ event) => {
    const file = event.currentTarget.files?.[0];
    if (!file) return;
    try {
      set_message(`${plural(await names.take(run, await file.text(), features), 'name')} read.`);
    } catch (error) {
      set_message(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <span class="names-file">
      <button type="button" onClick={download}>
        Download names
      </button>
      <label class="button">
        Read names
        <input type="file" class="hidden-input" accept=".json,application/json" onChange={take} />
      </label>
      <span class="quiet" role="status">
        {message}
      </span>
    </span>
  );
}
