import { usePage } from '../context.js';
import { ItemWords } from './item_tile.jsx';
import { Picture } from './picture.jsx';

/** An item as a picture, or as a small chip, without a link of its own: what it stands in is the link. @param {{item: number, size: number}} props */
export function Sample({ item, size }) {
  const { overview } = usePage();
  return overview.data.has_pictures ? <Picture item={item} size={size} /> : <span class="chip small"><ItemWords item={item} /></span>;
}
