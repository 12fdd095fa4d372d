import { isRecord } from "../messages/json";

/** One step of a JSON Patch (RFC 6902). */
export type PatchOperation =
  | { op: "add" | "replace"; path: string; value: unknown }
  | { op: "remove"; path: string };

const UNSAFE = ["__proto__", "prototype"];

/** Whether two JSON values are the same. What is the same object is not looked into. */
export function sameJson(left: unknown, right: unknown): boolean {
  if (Object.is(left, right)) return true;
  if (Array.isArray(left)) {
    return (
      Array.isArray(right) &&
      left.length === right.length &&
      left.every((item, at) => sameJson(item, right[at]))
    );
  }
  if (!isRecord(left) || !isRecord(right)) return false;
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  return keys.every((key) => Object.hasOwn(right, key) && sameJson(left[key], right[key]));
}

/** The JSON Patch that makes one value of another. */
export function patchBetween(before: unknown, after: unknown, path = ""): PatchOperation[] {
  if (sameJson(before, after)) return [];
  if (Array.isArray(before) && Array.isArray(after)) return patchBetweenLists(before, after, path);
  if (isRecord(before) && isRecord(after)) return patchBetweenRecords(before, after, path);
  return [{ op: "replace", path, value: after }];
}

function patchBetweenRecords(
  before: Record<string, unknown>,
  after: Record<string, unknown>,
  path: string,
): PatchOperation[] {
  // Clients refuse paths with these names.
  if (UNSAFE.some((key) => Object.hasOwn(before, key) || Object.hasOwn(after, key))) {
    return [{ op: "replace", path, value: after }];
  }
  const operations: PatchOperation[] = [];
  for (const key of Object.keys(before)) {
    if (!isThere(after, key)) operations.push({ op: "remove", path: `${path}/${escaped(key)}` });
  }
  for (const key of Object.keys(after)) {
    if (!isThere(after, key)) continue;
    const at = `${path}/${escaped(key)}`;
    if (isThere(before, key)) operations.push(...patchBetween(before[key], after[key], at));
    else operations.push({ op: "add", path: at, value: after[key] });
  }
  return operations;
}

function patchBetweenLists(before: unknown[], after: unknown[], path: string): PatchOperation[] {
  const operations: PatchOperation[] = [];
  const common = Math.min(before.length, after.length);
  for (let at = 0; at < common; at += 1)
    operations.push(...patchBetween(before[at], after[at], `${path}/${at}`));
  for (let at = before.length - 1; at >= common; at -= 1)
    operations.push({ op: "remove", path: `${path}/${at}` });
  for (let at = common; at < after.length; at += 1)
    operations.push({ op: "add", path: `${path}/-`, value: after[at] });
  return operations;
}

/** JSON has no `undefined`: a client never had such a key. */
function isThere(record: Record<string, unknown>, key: string): boolean {
  return Object.hasOwn(record, key) && record[key] !== undefined;
}

function escaped(key: string): string {
  return key.replace(/~/g, "~0").replace(/\//g, "~1");
}
