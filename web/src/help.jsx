import { useEffect, useRef } from 'preact/hooks';

const kKeys = [
  ['/', 'search: a feature by number or name, an item by id'],
  ['j or right', 'next feature or item'],
  ['k or left', 'previous feature or item'],
  ['a', 'on a feature: accept its proposed name'],
  ['Esc', 'leave a field, close this, or go up'],
  ['?', 'this help'],
  ['+ - 0 arrows', 'on the map: zoom, show all, pan'],
  ['l, s', 'on the map: lasso on or off, pick what is shown'],
  ['p', 'in the list of items: pick with clicks, or open'],
];

/** @param {{open: boolean, onClose: () => void}} props */
export function Help({ open, onClose }) {
  const dialog = useRef(/** @type {HTMLDialogElement|null} */ (null));
  useEffect(() => {
    if (open && !dialog.current?.open) dialog.current?.showModal();
    if (!open && dialog.current?.open) dialog.current.close();
  }, [open]);
  return (
    <dialog ref={dialog} class="help" aria-labelledby="help-title" onClose={onClose}>
      <h2 id="help-title">Keys</h2>
      <dl>
        {kKeys.map(([key, what]) => (
          <div key={key}>
            <dt><kbd>{key}</kbd></dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <p class="quiet">Dotted words: hover or click for the definition. The address of every view can be kept or sent.</p>
      <button type="button" onClick={onClose}>Close</button>
    </dialog>
  );
}
