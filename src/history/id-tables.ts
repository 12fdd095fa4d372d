/**
 * Ids that have been seen, for long histories: many small tables in place of a big one, which would be copied again and
 * again as it grows, into memory that is fetched and given back for each run.
 */
export type IdTables = readonly Set<string>[];

const TABLES = 16;

export const createIdTables = (): IdTables => Array.from({ length: TABLES }, () => new Set<string>());

/** Takes an id, and tells whether it is new. */
export function addId(id: string, tables: IdTables): boolean {
  // The last characters of ids are those that differ most.
  const table = tables[id.charCodeAt(id.length - 1) % TABLES] as Set<string>;
  const before = table.size;
  return table.add(id).size > before;
}
