import { usePage } from '../context.js';
import { shortened } from '../format.js';
import { to_item } from '../route.js';
import { useEntry } from './entry.js';
import { TextLine, useText, useTextsAlone } from './item_text.jsx';
import { HeatTile } from './heat_tile.jsx';
import { Picture } from './picture.jsx';
import { PlayButton } from './sound.jsx';

/** @param {import('../source/contract.js').Overview} overview @param {number|null|undefined} label */
export const class_name = (overview, label) =>
  label === null || label === undefined || label < 0 ? 'no label' : (overview.data.classes[label] ?? `class ${label}`);

/** The class of an item, once the labels are there. @param {number} item */
export function useLabel(item) {
  const { source } = usePage();
  const label = useEntry(() => source.labels(), item);
  return label === null || label < 0 ? null : label;
}

/**
 * What of an item's text to show, and which words of it raise a feature.
 * @typedef {{snippet?: string, marks?: import('../source/contract.js').Mark[]}} Marked
 */

/** An item where there are no pictures: its text, or what it is called, and its class where there are classes. @param {{item: number} & Marked} props */
export function ItemWords({ item, snippet, marks }) {
  const { source, overview } = usePage();
  const id = useEntry(() => source.ids(), item);
  const label = useLabel(item);
  const by_text = useTextsAlone();
  return (
    <>
      {by_text ? <TextLine item={item} snippet={snippet} marks={marks} /> : <span class="chip-id">{shortened(id ?? String(item), 40)}</span>}
      {overview.data.classes.length > 0 && <span class="chip-class">{shortened(class_name(overview, label), 24)}</span>}
    </>
  );
}

/**
 * An item as a link: its picture, or where there are no pictures a chip with its text or id, and its class. `caption` is written below, `query` goes into the link.
 * @param {{run: number, item: number, size?: number, caption?: string, query?: import('../route.js').NewQuery,
 *   current?: boolean, onChoose?: () => void, heat?: number} & Marked} props  with onChoose, a plain click does that instead
 *   of opening it; with the feature `heat`, where in the picture that fires
 */
export function ItemTile({ run, item, size = 56, caption, query, current = false, onChoose, heat, snippet, marks }) {
  const { overview } = usePage();
  const label = useLabel(item);
  const text = useText(item);
  const words = `item ${item}${overview.data.classes.length ? `, ${shortened(class_name(overview, label))}` : ''}${text && `: ${text}`}`;
  const by_text = useTextsAlone();
  const pictured = overview.data.has_pictures;
  const tile = (
    <a
      class={`tile ${pictured ? '' : 'chip'} ${by_text ? 'text' : ''}`}
      href={to_item(run, item, query)}
      onClick={(event) => {
        if (!onChoose || event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        onChoose();
      }}
      title={caption ? `${words}, ${caption}` : words}
      aria-label={caption ? `${words}, ${caption}` : words}
      aria-current={current ? 'true' : undefined}
      style={pictured ? { width: `${size}px` } : undefined}
    >
      {pictured ? (heat === undefined ? <Picture item={item} size={size} /> : <HeatTile run={run} item={item} feature={heat} size={size} />) : <ItemWords item={item} snippet={snippet} marks={marks} />}
      {caption && <span class="caption">{caption}</span>}
    </a>
  );
  return overview.data.has_sounds ? <span class="sounding">{tile}<PlayButton item={item} /></span> : tile;
}

/**
 * Items in a row that wraps.
 * @param {{run: number, items: ({item: number, caption?: string, query?: import('../route.js').NewQuery} & Marked)[],
 *   size: number, label: string, heat?: number}} props
 */
export function Tiles({ run, items, size, label, heat }) {
  return (
    <div class="tiles" role="group" aria-label={label}>
      {items.map(({ item, caption, query, snippet, marks }, at) => (
        <ItemTile key={`${item}/${at}`} run={run} item={item} size={size} caption={caption} query={query} snippet={snippet} marks={marks} heat={heat} />
      ))}
    </div>
  );
}
