import { marked_parts } from '../word_marks.js';

/** A text whose words that raise a feature are marked, the stronger the more they do. @param {{text: string, marks: import('../source/contract.js').Mark[]}} props */
export function MarkedText({ text, marks }) {
  if (marks.length === 0) return <>{text}</>;
  return <>{marked_parts(text, marks).map(({ text: part, strength }, at) => (strength === null ? part : <mark key={at} style={{ '--strength': `${Math.round(25 + 75 * strength)}%` }}>{part}</mark>))}</>;
}
