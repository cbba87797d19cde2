import { useState } from 'preact/hooks';
import { items_in } from '../chosen.js';
import { usePage } from '../context.js';
import { count } from '../format.js';
import { as_csv, as_json, selected_items, take_selection } from '../selection_file.js';

/** @param {string} text @param {string} type @param {string} name */
function download(text, type, name) {
  const link = Object.assign(document.createElement('a'), { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

/**
 * The chosen items as a file, and a file of such items as those picked by hand.
 * @param {{run: number, chosen: import('../chosen.js').Chosen, filter: string}} props
 */
export function SelectionFiles({ run, chosen, filter }) {
  const page = usePage();
  const [told, set_told] = useState({ text: '', failed: false });
  const tell = (/** @type {Promise<string>} */ work) => work.then((text) => set_told({ text, failed: false }), (error) => set_told({ text: error.message, failed: true }));
  const save = async (/** @type {'csv'|'json'} */ kind) => {
    const items = await selected_items(page, run, items_in(chosen));
    if (kind === 'csv') download(as_csv(items), 'text/csv;charset=utf-8', 'selection.csv');
    else download(as_json(page, run, filter, items), 'application/json', 'selection.json');
    return `Wrote ${count(items.length)} items with their ids, labels and features.`;
  };
  return (
    <div class="selection-files">
      <button type="button" disabled={chosen.count === 0} onClick={() => tell(save('csv'))}>Download CSV</button>
      <button type="button" disabled={chosen.count === 0} onClick={() => tell(save('json'))}>Download JSON</button>
      <label class="button">
        Read a selection
        <input
          type="file"
          class="hidden-input"
          accept=".csv,.json,text/csv,application/json"
          onChange={(event) => {
            const file = event.currentTarget.files?.[0];
            if (file) tell(take_selection(page, file));
            event.currentTarget.value = '';
          }}
        />
      </label>
      <span class="quiet">or drop such a file on this page</span>
      <span role="status" class={told.failed ? 'filter-error' : 'quiet'}>{told.text}</span>
    </div>
  );
}
