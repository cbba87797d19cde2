import { as_array, from_base64 } from './bytes.js';

/**
 * @typedef {import('./contract.js').Where} Where
 * @typedef {import('./contract.js').HeatMap} HeatMap
 * @typedef {Omit<HeatMap, 'parts'> & {parts: string}} SentMap  parts as base64 of float32
 * @typedef {Omit<Where, 'maps'|'match'> & {maps: SentMap[], match: SentMap|null}} SentWhere  as the server has it
 *
 * @typedef {{item: number, value: number, rest: number, box: Where['box'], picture: Where['picture'], sound?: Where['sound'],
 *   place?: HeatMap['place'], largest: number, parts: string}} KeptMap
 *   parts as base64 of int8, 127 being the largest
 * @typedef {{method: Where['method'], grid: Where['grid'], features: Record<string, KeptMap[]>}} KeptWhere  as a report has it
 */

/** @param {SentMap} map @returns {HeatMap} */
const read_map = (map) => ({ ...map, parts: as_array(from_base64(map.parts), Float32Array) });

/** @param {SentWhere} sent @returns {Where} */
export const read_where = (sent) => ({ ...sent, maps: sent.maps.map(read_map), match: sent.match && read_map(sent.match) });

/** What a report knows of some features in the picture of an item; null if nothing. @param {KeptWhere} kept @param {number} item @param {number[]} features @returns {Where|null} */
export function kept_where(kept, item, features) {
  const found = features.flatMap((feature) => (kept.features[feature] ?? []).filter((map) => map.item === item).map((map) => ({ feature, ...map })));
  if (found.length === 0) return null;
  const maps = found.map(({ feature, value, rest, place, largest, parts }) => ({
    feature,
    value,
    rest,
    place,
    parts: Float32Array.from(as_array(from_base64(parts), Int8Array), (step) => (step / 127) * largest),
  }));
  return { method: kept.method, grid: kept.grid, box: found[0].box, picture: found[0].picture, sound: found[0].sound, maps, match: null };
}
