import { useEffect, useState } from 'preact/hooks';
import { usePage } from '../context.js';
import { go, kOwnAddress } from '../route.js';

/** Takes a picture to the view of one's own picture. @param {import('../own.js').OwnPicture|null} own @param {File|null|undefined} file */
function take(own, file) {
  if (!own || !file) return;
  own.take(file);
  go(kOwnAddress);
}

/** @param {DragEvent} event */
const carries_file = (event) => event.dataTransfer?.types.includes('Files') ?? false;

/** Lets a picture be dropped anywhere on the page, and says so while one is held over it. */
export function DropAnywhere() {
  const { own } = usePage();
  const [over, set_over] = useState(false);
  useEffect(() => {
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
      take(own, event.dataTransfer?.files[0]);
    };
    addEventListener('dragover', hold);
    addEventListener('dragleave', leave);
    addEventListener('drop', drop);
    return () => {
      removeEventListener('dragover', hold);
      removeEventListener('dragleave', leave);
      removeEventListener('drop', drop);
    };
  }, [own]);
  return over ? <div class="drop-veil"><p>Drop the picture to see what the features make of it</p></div> : null;
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
