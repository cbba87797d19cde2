import { number, plural } from '../format.js';
import { Term } from '../part/term.jsx';
import { FiringFeatures } from './firing_features.jsx';
import { Neighbours } from './neighbours.jsx';

/**
 * What one run makes of a picture or a text from elsewhere: what fires, and the nearest items, one of which is chosen, and
 * below them why.
 * @param {{run: import('../source/contract.js').Run, item: import('../source/contract.js').OwnItem, chosen: number,
 *   onChoose: (item: number) => void, found?: boolean, children: import('preact').ComponentChildren}} props  `found`: the
 *   items come first, as they were asked for
 */
export function SeenBy({ run, item, chosen, onChoose, found = false, children }) {
  const fires = (
    <>
      <p class="numbers"><Term id="active">{plural(item.active, 'active feature')}</Term> of {run.features} · <Term id="norm">norm</Term> {number(item.norm)}</p>
      <FiringFeatures run={run.run} features={item.features} />
    </>
  );
  return (
    <>
      {!found && fires}
      <Neighbours run={run.run} neighbours={item.neighbours} chosen={chosen} onChoose={onChoose} title={found ? 'What fits best' : undefined} />
      {children}
      {found && fires}
    </>
  );
}

/** The neighbour that the address chooses, or the best. @param {import('../source/contract.js').OwnItem} item @param {string|undefined} wanted */
export function chosen_of(item, wanted) {
  const number = Number(wanted ?? item.with);
  return item.neighbours.find((near) => near.item === number)?.item ?? item.with;
}
