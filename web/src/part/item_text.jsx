import { usePage } from '../context.js';
import { shortened } from '../format.js';
import { useEntry } from './entry.js';

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

/** An item as the beginning of its text, in one line. @param {{item: number, length?: number}} props */
export function TextLine({ item, length = 120 }) {
  return <span class="text-line">{shortened(useText(item), length) || `item ${item}`}</span>;
}
