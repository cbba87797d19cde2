import { useEffect, useState } from 'preact/hooks';
import { usePage } from '../context.js';
import { go, kOwnAddress, to_chosen } from '../route.js';
import { take_selection } from '../selection_file.js';

const kPatience = 8000; // milliseconds that a message stays

/** Takes a picture to the view of one's own picture. @param {import('../own.js').OwnPicture|null} own @param {File|null|undefined} file */
function take(own, file) {
  if (!own || !file) return;
  own.take(file);
  go(kOwnAddress);
}

/** @param {DragEvent} event */
const carries_file = (event) => event.dataTransfer?.types.includes('Files') ?? false;

/** @param {File} file */
const is_table = ({ name, type }) => /\.(csv|json)$/i.test(name) || ['text/csv', 'application/json'].includes(type);

/** Lets a picture or a selection be dropped anywhere on the page, and says so while one is held over it. @param {{run: number}} props */
export function DropAnywhere({ run }) {
  const page = usePage();
  const { own } = page;
  const [over, set_over] = useState(false);
  const [told, set_told] = useState({ text: '', failed: false });
  useEffect(() => {
    const timer = setTimeout(() => set_told({ text: '', failed: false }), kPatience);
    return () => clearTimeout(timer);
  }, [told.text]);
  useEffect(() => {
    const receive = async (/** @type {File|undefined} */ file) => {
      if (!file) return;
      if (!is_table(file)) {
        if (own) take(own, file);
        else set_told({ text: 'Expected a selection as a CSV or JSON file, got another. Pictures can be dropped where orthant explore runs with a model of pictures.', failed: true });
        return;
      }
      try {
        set_told({ text: await take_selection(page, file), failed: false });
        go(to_chosen(run));
      } catch (error) {
        set_told({ text: error instanceof Error ? error.message : String(error), failed: true });
      }
    };
    const hold = (/** @type {DragEvent} */ event) => {
      if (!carries_file(event)) return;
      event.preventDefault();
      set_over(true);
    };
    const leave = (/** @type {DragEvent} */ event) => event.relatedTarget === null && set_over(false);
    const drop = (/** @type {DragEvent} */ event) => {
      if (!carries_file(event)) return;
      event.preventDefault();
      set_over(false);
      receive(event.dataTransfer?.files[0]);
    };
    addEventListener('dragover', hold);
    addEventListener('dragleave', leave);
    addEventListener('drop', drop);
    return () => {
      removeEventListener('dragover', hold);
      removeEventListener('dragleave', leave);
      removeEventListener('drop', drop);
    };
  }, [page, own, run]);
  return (
    <>
      {over && <div class="drop-veil"><p>{own ? 'Drop the picture to see what the features make of it, or a selection (CSV or JSON) to pick its items' : 'Drop a selection (CSV or JSON) to pick its items'}</p></div>}
      {told.text && <p class={`toast ${told.failed ? 'failed' : ''}`} role={told.failed ? 'alert' : 'status'}>{told.text}</p>}
    </>
  );
}

/** Where to drop or choose a picture of one's own. */
export function Drop() {
  const elsewhere = !location.hash.startsWith(kOwnAddress);
  const { own } = usePage();
  return (
    <div class="drop">
      <span>Your own picture: drop a PNG or JPEG anywhere on this page, or</span>
      <label class="button">
        choose a file
        <input
          type="file"
          class="hidden-input"
          accept="image/png,image/jpeg"
          onChange={(event) => {
            take(own, event.currentTarget.files?.[0]);
            event.currentTarget.value = ''; // so that the same file can be chosen again
          }}
        />
      </label>
      {own?.file && elsewhere && <a href={kOwnAddress}>Back to your picture</a>}
    </div>
  );
}
