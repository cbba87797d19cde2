import { usePage } from '../context.js';
import { shortened } from '../format.js';
import { useEntry } from './entry.js';
import { MarkedText } from './marked_text.jsx';

/** The first text of an item, once the texts are there; '' without. @param {number} item */
export function useText(item) {
  const { source, overview } = usePage();
  return useEntry(async () => (overview.data.has_texts ? source.texts() : []), item) ?? '';
}

/** Whether items are shown by their texts: there are such, and no pictures. */
export function useTextsAlone() {
  const { has_texts, has_pictures } = usePage().overview.data;
  return has_texts && !has_pictures;
}

const kFew = 100; // texts that tell how long they are
const kShort = 24; // characters, on average

/** Whether these texts are words rather than sentences: several of them fit where one line does. */
export function useShortTexts() {
  const { source } = usePage();
  const alone = useTextsAlone();
  const mean = useEntry(async () => {
    const texts = alone ? (await source.texts()).slice(0, kFew) : [];
    return [texts.reduce((sum, text) => sum + text.length, 0) / texts.length];
  }, 0);
  return mean !== null && mean <= kShort;
}

/**
 * An item as the beginning of its text, in one line; or as a snippet of it with the words marked that raise a feature.
 * @param {{item: number, length?: number, snippet?: string, marks?: import('../source/contract.js').Mark[]}} props
 */
export function TextLine({ item, length = 120, snippet, marks = [] }) {
  const text = useText(item);
  return <span class="text-line">{snippet ? <MarkedText text={snippet} marks={marks} /> : shortened(text, length) || `item ${item}`}</span>;
}
