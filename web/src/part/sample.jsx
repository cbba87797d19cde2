import { usePage } from '../context.js';
import { TextLine, useTextsAlone } from './item_text.jsx';
import { ItemWords } from './item_tile.jsx';
import { Picture } from './picture.jsx';

/** How many of `pictures` samples to show: lines of text take more room. @param {number} pictures */
export const useSampleCount = (pictures) => (useTextsAlone() ? Math.max(1, Math.round(pictures / 3)) : pictures);

/** An item as a picture, a line of text or a small chip, without a link of its own: what it stands in is the link. @param {{item: number, size: number}} props */
export function Sample({ item, size }) {
  const { overview } = usePage();
  if (useTextsAlone()) return <TextLine item={item} />;
  return overview.data.has_pictures ? <Picture item={item} size={size} /> : <span class="chip small"><ItemWords item={item} /></span>;
}
