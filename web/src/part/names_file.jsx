import { useState } from 'preact/hooks';
import { usePage, useRun } from '../context.js';
import { count, plural, shortened } from '../format.js';

/** What became of a file of names. @param {import('../names.js').Taken} taken */
function taken_words({ kept, replaced, same, skipped }) {
  const some = (/** @type {string[]} */ list) => `${list.slice(0, 5).map((key) => shortened(key, 12)).join(', ')}${list.length > 5 ? ', ...' : ''}`;
  const more = [replaced > 0 && `${count(replaced)} replaced another`, same > 0 && `${count(same)} the same as before`].filter(Boolean).join(', ');
  const left = skipped.map(({ why, features }) => `${count(features.length)} skipped, ${why}: ${some(features)}.`);
  return [`${plural(kept, 'name')} read${more && ` (${more})`}.`, ...left].join(' ');
}

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
    const input = event.currentTarget;
    const file = input.files?.[0];
    if (!file) return;
    try {
      set_message(taken_words(await names.take(run, await file.text(), features)));
    } catch (error) {
      set_message(error instanceof Error ? error.message : String(error));
    }
    input.value = ''; // so that the same file can be read again
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
