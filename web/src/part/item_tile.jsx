import { useEffect, useState } from 'preact/hooks';
import { usePage } from '../context.js';
import { shortened } from '../format.js';
import { to_item } from '../route.js';
import { Picture } from './picture.jsx';

/** @param {import('../source/contract.js').Overview} overview @param {number|null|undefined} label */
export const class_name = (overview, label) =>
  label === null || label === undefined || label < 0 ? 'no label' : (overview.data.classes[label] ?? `class ${label}`);

/** The class of an item, once the labels are there. @param {number} item */
export function useLabel(item) {
  const { source } = usePage();
  const [label, set_label] = useState(/** @type {number|null} */ (null));
  useEffect(() => {
    let current = true;
    source.labels().then(
      (labels) => current && set_label(labels[item] >= 0 ? labels[item] : null),
      () => {},
    );
    return () => {
      current = false;
    };
  }, [source, item]);
  return label;
}

/**
 * An item as a link: its picture, or a chip with number and class where there are no pictures.
 * `caption` is written below, `query` goes into the link.
 * @param {{run: number, item: number, size?: number, caption?: string, query?: import('../route.js').NewQuery,
 *   current?: boolean, onChoose?: () => void}} props  with onChoose, a plain click does that instead of opening it
 */
export function ItemTile({ run, item, size = 56, caption, query, current = false, onChoose }) {
  const { overview } = usePage();
  const label = useLabel(item);
  const name = class_name(overview, label);
  const words = `item ${item}, ${shortened(name)}`;
  const pictured = overview.data.has_pictures;
  return (
    <a
      class={`tile ${pictured ? '' : 'chip'}`}
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
      {pictured ? <Picture item={item} size={size} /> : <span class="chip-id">{item}</span>}
      {!pictured && <span class="chip-class">{shortened(name, 24)}</span>}
      {caption && <span class="caption">{caption}</span>}
    </a>
  );
}

/**
 * Items in a row that wraps.
 * @param {{run: number, items: {item: number, caption?: string, query?: import('../route.js').NewQuery}[], size: number,
 *   label: string}} props
 */
export function Tiles({ run, items, size, label }) {
  return (
    <div class="tiles" role="group" aria-label={label}>
      {items.map(({ item, caption, query }, at) => (
        <ItemTile key={`${item}/${at}`} run={run} item={item} size={size} caption={caption} query={query} />
      ))}
    </div>
  );
}
