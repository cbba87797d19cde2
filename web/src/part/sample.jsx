import { usePage } from '../context.js';
import { TextLine, useShortTexts, useTextsAlone } from './item_text.jsx';
import { ItemWords } from './item_tile.jsx';
import { Picture } from './picture.jsx';

/** How many of `pictures` samples to show: lines of text take more room. @param {number} pictures */
export function useSampleCount(pictures) {
  const short = useShortTexts();
  return useTextsAlone() && !short ? Math.max(1, Math.round(pictures / 3)) : pictures;
}

/** An item as a picture, a line of text or a small chip, without a link of its own: what it stands in is the link. @param {{item: number, size: number}} props */
export function Sample({ item, size }) {
  const { overview } = usePage();
  const short = useShortTexts();
  if (useTextsAlone()) return short ? <span class="chip small"><TextLine item={item} /></span> : <TextLine item={item} />;
  return overview.data.has_pictures ? <Picture item={item} size={size} /> : <span class="chip small"><ItemWords item={item} /></span>;
}
