import { read_stored, store } from '../storage.js';

export const kNamesFormat = 'orthant.names.1';

const table = (names) => names?.features ?? names ?? {};

/** The names of a report's features: those of the file, and over them what was written in this browser. */
export class NameStore {
  constructor(report) {
    const { generated, data, runs } = report.overview;
    this.key = `orthant.names/${generated}/${data.spec}/${runs.map((run) => run.path).join('/')}`;
    this.given = report.names ?? {};
    this.own = {};
    try {
      this.own = JSON.parse(read_stored(this.key) ?? '{}') ?? {};
    } catch {
      this.own = {};
    }
  }

  of(run) {
    return { ...table(this.given[run] ?? this.given[`r${run}`]), ...this.own[run] };
  }

  set(run, feature, label) {
    this.own[run] = { ...this.own[run], [feature]: label };
    if (!store(this.key, JSON.stringify(this.own))) {
      throw new Error('This browser keeps nothing for this file: download the names before you close it.');
    }
  }
}
