import { useId } from 'preact/hooks';
import { fixed } from '../format.js';
import { Empty } from '../load.jsx';
import { ItemTile } from '../part/item_tile.jsx';
import { Term } from '../part/term.jsx';

/**
 * The nearest items; choosing one shows why it matches.
 * @param {{run: number, neighbours: import('../source/contract.js').Item['neighbours'], chosen?: number|null, onChoose?: (item: number) => void, title?: string}} props
 */
export function Neighbours({ run, neighbours, chosen, onChoose, title = 'Nearest neighbours' }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {neighbours.length === 0 ? (
        <Empty>There are no other items to compare with.</Empty>
      ) : (
        <>
          <p class="quiet">By <Term id="score">similarity</Term>. {onChoose && 'Choose one to see why it matches.'}</p>
          <div class="tiles">
            {neighbours.map(({ item, score }) => (
              <ItemTile key={item} run={run} item={item} size={64} caption={fixed(score, 3)} onChoose={onChoose && (() => onChoose(item))} current={item === chosen} />
            ))}
          </div>
        </>
      )}
    </section>
  );
}
