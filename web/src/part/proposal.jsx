import { useEffect, useState } from 'preact/hooks';
import { usePage } from '../context.js';
import { count, plural, shortened } from '../format.js';
import { useName } from '../names.js';

const two_digits = (/** @type {number} */ value) => value.toFixed(2);

/** The name that was proposed for a feature without one, to be accepted by the button or by the key A. @param {{run: number, feature: number}} props */
export function Proposal({ run, feature }) {
  const { names } = usePage();
  const { name, proposed } = useName(names, run, feature);
  const [message, set_message] = useState('');
  const open = !name && proposed !== undefined;
  const accept = () => names.accept(run, feature).then(() => set_message(''), (error) => set_message(String(error?.message ?? error)));
  useEffect(() => {
    if (!open) return undefined;
    const listener = (/** @type {KeyboardEvent} */ event) => {
      const field = event.target instanceof HTMLElement && event.target.closest('input, textarea, select, dialog');
      if (event.key !== 'a' || field || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      accept();
    };
    addEventListener('keydown', listener);
    return () => removeEventListener('keydown', listener);
  }, [run, feature, open]);
  if (!open) return null;
  return (
    <p class="proposal">
      Proposed{proposed.from && <> from {shortened(proposed.from, 40)}</>}: <b>{shortened(proposed.name, 80)}</b>{' '}
      <span class="quiet">score {two_digits(proposed.score)}, by chance {two_digits(proposed.chance)}{proposed.score <= proposed.chance && ': random items would give as much'}</span>{' '}
      <button type="button" onClick={accept}>Accept (A)</button>
      {message && <span class="quiet" role="status"> {message}</span>}
    </p>
  );
}

/** Accepts all proposed names of a run that are far enough above chance. @param {{run: number}} props */
export function Proposals({ run }) {
  const { names } = usePage();
  useName(names, run, 0);
  const [margin, set_margin] = useState(0.5);
  const [message, set_message] = useState('');
  const all = names.proposals(run, -Infinity);
  if (all.length === 0) return message ? <p class="quiet" role="status">{message}</p> : null;
  const chosen = names.proposals(run, margin);
  const likely = all.filter((feature) => names.shown(run, feature).proposed).length;
  const accept = async () => {
    let accepted = 0;
    try {
      for (const feature of chosen) accepted += Number(await names.accept(run, feature));
      set_message(`${plural(accepted, 'name')} accepted.`);
    } catch (error) {
      set_message(`${plural(accepted, 'name')} accepted, then: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  return (
    <p class="proposals">
      {plural(all.length, 'name')} proposed; the {count(likely)} above chance are shown with “?”. Accept those whose score is above chance by{' '}
      <input type="number" aria-label="Score above chance" step="0.1" value={margin} onInput={(event) => set_margin(Number(event.currentTarget.value) || 0)} /> or more:{' '}
      <button type="button" disabled={chosen.length === 0} onClick={accept}>Accept {plural(chosen.length, 'name')}</button>{' '}
      <span class="quiet" role="status">{message}</span>
    </p>
  );
}
