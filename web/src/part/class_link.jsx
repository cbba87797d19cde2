import { usePage } from '../context.js';
import { shortened } from '../format.js';
import { to_class } from '../route.js';
import { class_name } from './item_tile.jsx';

/** A class as a link to what is known of it; plain text for items without one. @param {{run: number, label: number|null|undefined, length?: number}} props */
export function ClassLink({ run, label, length = 40 }) {
  const { overview } = usePage();
  const name = shortened(class_name(overview, label), length);
  if (label === null || label === undefined || label < 0) return <span>{name}</span>;
  return <a class="class-link" href={to_class(run, label)} title="What tells this class: its features">{name}</a>;
}
